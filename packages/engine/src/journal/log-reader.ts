import type { DatabaseSync } from "node:sqlite";
import { readCache } from "./read-cache.ts";
import { readEvents } from "./read-events.ts";
import { readFiles } from "./read-files.ts";
import { readJobs } from "./read-jobs.ts";
import { readLineage } from "./read-lineage.ts";
import { readRuns } from "./read-runs.ts";
import { readStorage } from "./read-storage.ts";
import { Statements } from "./statements.ts";

export type LogReader = ReturnType<typeof createLogReader>;

/** Reads the log and its projections; sees every commit that was acknowledged before the call. */
export function createLogReader(db: DatabaseSync) {
  const sql = new Statements(db);
  return {
    ...readEvents(sql),
    ...readRuns(sql),
    ...readJobs(sql),
    ...readFiles(sql),
    ...readCache(sql),
    ...readLineage(sql),
    ...readStorage(sql),
  };
}
