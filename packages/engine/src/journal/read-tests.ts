import type { TestResult } from "@weft/shared/records/test-record.ts";
import { RowReader } from "./row-reader.ts";
import type { Row, Statements } from "./statements.ts";

function toTestRow(row: Row) {
  const columns = new RowReader(row);
  return {
    name: columns.text("name"),
    /** Blob digest. */
    text: columns.text("text"),
    /** Portable address. */
    uri: columns.text("uri"),
    processDigest: columns.text("process_digest"),
    /** null: the inputs were refused. */
    runId: columns.textOrNull("run_id"),
    /** null: running. */
    result: columns.json<TestResult | null>("result", null),
    startedMs: columns.number("started_ms"),
    endedMs: columns.numberOrNull("ended_ms"),
  };
}

/** The last run of a test. Times in milliseconds since 1970. */
export type TestRow = Readonly<ReturnType<typeof toTestRow>>;

export function readTests(sql: Statements) {
  return {
    /** The last runs of the tests of one version; `version` is null for a network without versions. */
    lastTests(kind: "network" | "tool", id: string, version: string | null): ReadonlyMap<string, TestRow> {
      const rows = sql.all(
        "SELECT * FROM tests WHERE kind = ? AND process_id = ? AND version = ?",
        kind,
        id,
        version ?? "",
      );
      return new Map(rows.map(toTestRow).map((row) => [row.name, row]));
    },

    /** The test that a run is; undefined if it is none, or if the test has run again since. */
    testOfRun(runId: string): TestRow | undefined {
      const row = sql.get("SELECT * FROM tests WHERE run_id = ?", runId);
      return row === undefined ? undefined : toTestRow(row);
    },

    /** Ended runs whose outputs still have to be compared with their test. */
    runsToJudge(): readonly string[] {
      const rows = sql.all(
        `SELECT tests.run_id FROM tests JOIN runs ON runs.run_id = tests.run_id
           WHERE tests.result IS NULL AND runs.ended_ms IS NOT NULL`,
      );
      return rows.map((row) => String(row["run_id"]));
    },

    /** The highest peak of a job; null if none was measured. */
    peakMemory(runId: string): number | null {
      const row = sql.get("SELECT max(max_rss_bytes) AS peak FROM jobs WHERE run_id = ?", runId);
      return row === undefined ? null : new RowReader(row).numberOrNull("peak");
    },
  };
}
