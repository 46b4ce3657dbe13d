import type { TestResult } from "@weft/shared/records/test-record.ts";
import type { EventOf, LogFeature } from "../journal/log-feature.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Projection } from "../journal/project-job.ts";
import { RowReader } from "../journal/row-reader.ts";
import { namedStatement, type Row } from "../journal/statements.ts";

const TABLE = `
CREATE TABLE tests (
  kind TEXT NOT NULL,
  process_id TEXT NOT NULL,
  version TEXT NOT NULL,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  uri TEXT NOT NULL,
  process_digest TEXT NOT NULL,
  run_id TEXT,
  result TEXT,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  PRIMARY KEY (kind, process_id, version, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tests_by_run ON tests (run_id) WHERE run_id IS NOT NULL;
`;

/**
 * The last time that each test was run. `version` is empty for a network without versions, and `draftVersion` for a
 * draft; `result` is null while it runs.
 */
export const LAST_TESTS: LogFeature = {
  tables: TABLE,
  folds: { "run.created": startTest, "run.tested": keepResult, "test.refused": keepRefusal },
};

const REPLACE_TEST = namedStatement(
  `INSERT OR REPLACE INTO tests
     (kind, process_id, version, name, text, uri, process_digest, run_id, result, started_ms, ended_ms)
   VALUES (:kind, :process_id, :version, :name, :text, :uri, :process_digest, :run_id, :result, :started_ms, :ended_ms)`,
);

/** Placeholder for the version of a draft; no version has such a name. */
export function draftVersion({ draft_id: draftId }: { readonly draft_id: string }): string {
  return `draft:${draftId}`;
}

function startTest({ run_id, data }: EventOf<"run.created">, { sql, nowMs }: Projection): void {
  const { test } = data;
  if (test === undefined) return;
  sql.write(REPLACE_TEST, { ...processOf(data), ...test, run_id, result: null, started_ms: nowMs, ended_ms: null });
}

/** False for a test that has run again since, and for one that already has its result. */
function keepResult({ run_id, data }: EventOf<"run.tested">, { sql, nowMs }: Projection): boolean {
  const isOpen = sql.get("SELECT 1 FROM tests WHERE run_id = ? AND result IS NULL", run_id) !== undefined;
  if (isOpen)
    sql.run("UPDATE tests SET result = ?, ended_ms = ? WHERE run_id = ?", JSON.stringify(data), nowMs, run_id);
  return isOpen;
}

function keepRefusal({ data }: EventOf<"test.refused">, { sql, nowMs }: Projection): void {
  const { test, result } = data;
  const times = { started_ms: nowMs, ended_ms: nowMs };
  sql.write(REPLACE_TEST, { ...processOf(data), ...test, ...times, run_id: null, result: JSON.stringify(result) });
}

function processOf({
  kind,
  process_id,
  process_version,
  process_digest,
  draft,
}: (EventOf<"run.created"> | EventOf<"test.refused">)["data"]) {
  const version = draft === undefined ? (process_version ?? "") : draftVersion(draft);
  return { kind, process_id, version, process_digest };
}

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

export function readTests({ sql }: Pick<LogReader, "sql">) {
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

    /** The test that a run executes; undefined if it executes none, or if the test has run again since. */
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
