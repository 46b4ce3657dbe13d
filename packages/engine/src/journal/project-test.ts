import type { NewEvent } from "./journal-event.ts";
import type { Projection } from "./project-job.ts";
import { namedStatement } from "./statements.ts";

/**
 * The last time that each test was run. `version` is empty for a network without versions, and `draftVersion` for a draft;
 * `result` is null while it runs.
 */
export const TEST_TABLE = `
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

const REPLACE_TEST = namedStatement(
  `INSERT OR REPLACE INTO tests
     (kind, process_id, version, name, text, uri, process_digest, run_id, result, started_ms, ended_ms)
   VALUES (:kind, :process_id, :version, :name, :text, :uri, :process_digest, :run_id, :result, :started_ms, :ended_ms)`,
);

/** Placeholder for the version of a draft; no version has such a name. */
export function draftVersion({ draft_id: draftId }: { readonly draft_id: string }): string {
  return `draft:${draftId}`;
}

type Into = Pick<Projection, "sql" | "nowMs">;

export function startTest({ run_id, data }: Extract<NewEvent, { type: "run.created" }>, { sql, nowMs }: Into): void {
  const { test, kind, process_id, process_version, process_digest, draft } = data;
  if (test === undefined) return;
  const version = draft === undefined ? (process_version ?? "") : draftVersion(draft);
  const process = { kind, process_id, version, process_digest };
  sql.write(REPLACE_TEST, { ...process, ...test, run_id, result: null, started_ms: nowMs, ended_ms: null });
}

/** False for a test that has run again since, and for one that has its result. */
export function projectTestResult(
  { run_id, data }: Extract<NewEvent, { type: "run.tested" }>,
  { sql, nowMs }: Into,
): boolean {
  const isOpen = sql.get("SELECT 1 FROM tests WHERE run_id = ? AND result IS NULL", run_id) !== undefined;
  if (isOpen)
    sql.run("UPDATE tests SET result = ?, ended_ms = ? WHERE run_id = ?", JSON.stringify(data), nowMs, run_id);
  return isOpen;
}

export function projectRefusedTest(
  { data }: Extract<NewEvent, { type: "test.refused" }>,
  { sql, nowMs }: Into,
): boolean {
  const { test, kind, process_id, process_version, process_digest, draft, result } = data;
  const version = draft === undefined ? (process_version ?? "") : draftVersion(draft);
  const process = { kind, process_id, version, process_digest };
  const times = { started_ms: nowMs, ended_ms: nowMs };
  sql.write(REPLACE_TEST, { ...process, ...test, ...times, run_id: null, result: JSON.stringify(result) });
  return true;
}
