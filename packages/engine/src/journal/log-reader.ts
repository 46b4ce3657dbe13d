import type { DatabaseSync } from "node:sqlite";
import type { DatasetQuery, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { readAutomations } from "./read-automations.ts";
import { readCache } from "./read-cache.ts";
import { readEvents } from "./read-events.ts";
import { readFiles } from "./read-files.ts";
import { readJobTable } from "./read-job-table.ts";
import { readJobs } from "./read-jobs.ts";
import { readLineage } from "./read-lineage.ts";
import { readMeasures } from "./read-measures.ts";
import { readNotifications } from "./read-notifications.ts";
import { readOrigins } from "./read-origins.ts";
import { readReviews } from "./reviews-table.ts";
import { readRuns } from "./read-runs.ts";
import type { RecentRunReads } from "./read-runs.ts";
import { dataVersion, RecentReads } from "./recent-reads.ts";
import type { LogVersion } from "./recent-reads.ts";
import { readSamples } from "./read-samples.ts";
import { readStorage } from "./read-storage.ts";
import { readTests } from "./read-tests.ts";
import { Statements } from "./statements.ts";
import { RowReader } from "./row-reader.ts";
import type { Row } from "./statements.ts";

export type LogReader = ReturnType<typeof createLogReader>;

/**
 * Records of runs with thousands of samples are large: this number of them, and of list pages, stays small in
 * comparison.
 */
const RECENT_RUNS = 64;
const RECENT_PAGES = 8;

/**
 * Reads the log and its projections; sees every commit acknowledged before the call. `db` is the writer's own
 * connection, or another one with a cheaper way than SQLite's to know whether the writer has committed.
 */
export function createLogReader(db: DatabaseSync, side: "writer" | "reader" | LogVersion) {
  const sql = new Statements(db);
  const version = typeof side === "function" ? side : dataVersion(sql);
  return {
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
    ...readTests(sql),
    ...readReviews(sql),
    ...readNotifications(sql),
    ...readAutomations(sql),
    ...readQueries(sql),
  };
}

function recentReads(version: LogVersion): RecentRunReads {
  return { runs: new RecentReads(version, RECENT_RUNS), pages: new RecentReads(version, RECENT_PAGES) };
}

/** The result of a query whose text is damaged. */
const NOTHING: DatasetQuery = { location: "weft-data://", per: ["path"], columns: [] };

function toSavedQuery(row: Row): SavedDatasetQuery {
  const columns = new RowReader(row);
  return {
    query_id: columns.text("query_id"),
    name: columns.text("name"),
    network: columns.text("network"),
    query: columns.json<DatasetQuery>("query", NOTHING),
    revision: columns.number("revision"),
    updated_at: new Date(columns.number("updated_ms")).toISOString(),
    updated_by: columns.text("updated_by"),
  };
}

function readQueries(sql: Statements) {
  return {
    /** By network and name. */
    savedQueries(network?: string): SavedDatasetQuery[] {
      return sql
        .all("SELECT * FROM queries WHERE network = coalesce(?, network) ORDER BY network, name", network ?? null)
        .map(toSavedQuery);
    },

    savedQuery(queryId: string): SavedDatasetQuery | undefined {
      const row = sql.get("SELECT * FROM queries WHERE query_id = ?", queryId);
      return row === undefined ? undefined : toSavedQuery(row);
    },
  };
}
