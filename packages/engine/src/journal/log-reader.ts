import type { DatabaseSync } from "node:sqlite";
import type { LogFeature } from "./log-feature.ts";
import { readCache } from "./read-cache.ts";
import { readEvents } from "./read-events.ts";
import { readFiles } from "./read-files.ts";
import { readJobTable } from "./read-job-table.ts";
import { readJobs } from "./read-jobs.ts";
import { readLineage } from "./read-lineage.ts";
import { readMeasures } from "./read-measures.ts";
import { readOrigins } from "./read-origins.ts";
import { readRuns, type RecentRunReads } from "./read-runs.ts";
import { dataVersion, RecentReads, type LogVersion } from "./recent-reads.ts";
import { readSamples } from "./read-samples.ts";
import { readStorage } from "./read-storage.ts";
import { Statements } from "./statements.ts";

export type LogReader = ReturnType<typeof createLogReader>;

/**
 * Maximum numbers of cached run records and list pages. Records of runs with thousands of samples are large, so the
 * cache must stay small.
 */
const RECENT_RUNS = 64;
const RECENT_PAGES = 8;

/**
 * Reads the log and its projections; sees every commit acknowledged before the call. `db` is the writer's own
 * connection, or another one with a cheaper way than SQLite's to know whether the writer has committed.
 */
export function createLogReader(
  db: DatabaseSync,
  side: "writer" | "reader" | LogVersion,
  features: readonly LogFeature[] = [],
) {
  const sql = new Statements(db);
  const version = typeof side === "function" ? side : dataVersion(sql);
  return {
    ...readFeatures(sql, features),
    ...readEvents(sql),
    ...readRuns(sql, side === "writer" ? undefined : recentReads(version)),
    ...readJobs(sql),
    ...readSamples(sql),
    ...readJobTable(sql),
    ...readFiles(sql),
    ...readCache(sql),
    ...readLineage(sql),
    ...readOrigins(sql),
    ...readMeasures(sql),
    ...readStorage(sql),
    /** Calls a function whose reads all see the same state of the log, while its writer continues. */
    snapshot<Result>(read: () => Result): Result {
      db.exec("SAVEPOINT snapshot");
      try {
        return read();
      } finally {
        db.exec("RELEASE snapshot");
      }
    },
  };
}

function recentReads(version: LogVersion): RecentRunReads {
  return { runs: new RecentReads(version, RECENT_RUNS), pages: new RecentReads(version, RECENT_PAGES) };
}

function readFeatures(sql: Statements, features: readonly LogFeature[]) {
  const facts = features.flatMap(({ samples }) => samples?.(sql) ?? []);
  return {
    /** Reads the tables of features. */
    sql,
    features,
    /** Fields that features give to samples, by sample and field. */
    sampleFields: (runId: string, most: number) => new Map(facts.flatMap(({ fieldsOf }) => [...fieldsOf(runId, most)])),
    /** Number of samples that wait for a user. */
    samplesWaiting: (runId: string) => facts.reduce((sum, { waiting }) => sum + waiting(runId), 0),
  };
}
