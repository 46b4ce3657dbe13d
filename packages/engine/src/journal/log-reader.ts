import type { DatabaseSync } from "node:sqlite";
import { readCache } from "./read-cache.ts";
import { readEvents } from "./read-events.ts";
import { readFiles } from "./read-files.ts";
import { readJobs } from "./read-jobs.ts";
import { readLineage } from "./read-lineage.ts";
import { readRuns } from "./read-runs.ts";
import type { RecentRunReads } from "./read-runs.ts";
import { dataVersion, RecentReads } from "./recent-reads.ts";
import type { LogVersion } from "./recent-reads.ts";
import { readStorage } from "./read-storage.ts";
import { Statements } from "./statements.ts";

export type LogReader = ReturnType<typeof createLogReader>;

/** Runs with thousands of samples are large: this many of them, and this many pages of lists, stay small beside the rest. */
const RECENT_RUNS = 64;
const RECENT_PAGES = 8;

/**
 * Reads the log and its projections; sees every commit that was acknowledged before the call. `db` is the writer's own
 * connection, or another one, which may know more cheaply than SQLite whether the writer has committed.
 */
export function createLogReader(db: DatabaseSync, side: "writer" | "beside" | LogVersion) {
  const sql = new Statements(db);
  const version = typeof side === "function" ? side : dataVersion(sql);
  return {
    ...readEvents(sql),
    ...readRuns(sql, side === "writer" ? undefined : recentReads(version)),
    ...readJobs(sql),
    ...readFiles(sql),
    ...readCache(sql),
    ...readLineage(sql),
    ...readStorage(sql),
  };
}

function recentReads(version: LogVersion): RecentRunReads {
  return { runs: new RecentReads(version, RECENT_RUNS), pages: new RecentReads(version, RECENT_PAGES) };
}
