import { runItem, uploadItem, usedItems } from "../files/used-items.ts";
import type { MeasuredBytes } from "@weft/shared/events/run-events.ts";
import type { NewEvent } from "./journal-event.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { Projection } from "./project-job.ts";
import type { Statements } from "./statements.ts";

/**
 * Disk usage of runs, items used by open runs, and removals. An item is `uploads/<id>` or `runs/<id>/<part>`. `uses`
 * lists the items of others that open runs use; rows disappear as runs end. `pruned.ended_ms` is null from the intent
 * to the end of a removal.
 */
export const STORAGE_TABLES = `
CREATE TABLE storage (
  run_id TEXT PRIMARY KEY,
  outputs_bytes INTEGER NOT NULL,
  intermediate_bytes INTEGER NOT NULL,
  logs_bytes INTEGER NOT NULL,
  measured_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE uses (
  item TEXT NOT NULL,
  run_id TEXT NOT NULL,
  PRIMARY KEY (item, run_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX uses_of_run ON uses (run_id);

CREATE TABLE pruned (
  item TEXT PRIMARY KEY,
  run_id TEXT,
  actor TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  bytes INTEGER,
  failures INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX pruned_of_run ON pruned (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX pruned_open ON pruned (begun_ms) WHERE ended_ms IS NULL;
`;

type StorageFold = Pick<Projection, "sql" | "nowMs">;
type StorageEvent = Extract<NewEvent, { type: "run.measured" | "run.pruning" | "run.pruned" }>;

/** Folds an event about files of an ended run; false if an open run relies on files that would be removed. */
export function projectStorageEvent(event: StorageEvent, runId: string, { sql, nowMs }: StorageFold): boolean {
  switch (event.type) {
    case "run.measured":
      keepMeasure(sql, runId, { ...event.data, nowMs });
      return true;
    case "run.pruning":
      return beginRemoval(sql, { item: runItem(runId, event.data.part), runId, actor: event.actor, nowMs });
    case "run.pruned": {
      const { part, bytes, failures, left } = event.data;
      const end = "UPDATE pruned SET ended_ms = ?, bytes = coalesce(bytes, 0) + ?, failures = ? WHERE item = ?";
      sql.run(end, nowMs, bytes, failures.length, runItem(runId, part));
      keepMeasure(sql, runId, { ...left, nowMs });
      return true;
    }
  }
}

/** False if an open run refers to the upload. */
export function projectUploadPruned(
  event: Extract<NewEvent, { type: "upload.pruned" }>,
  { sql, nowMs }: StorageFold,
): boolean {
  const item = uploadItem(event.data.upload_id);
  if (!beginRemoval(sql, { item, runId: null, actor: event.actor, nowMs })) return false;
  sql.run("UPDATE pruned SET ended_ms = ?, bytes = ?, failures = 0 WHERE item = ?", nowMs, event.data.bytes, item);
  return true;
}

/** False if something of it was removed or is about to be: a new reader would not find it. */
export function canUse(sql: Statements, items: readonly string[]): boolean {
  return !items.some((item) => sql.has("SELECT 1 FROM pruned WHERE item = ?", item));
}

export function noteUses(sql: Statements, runId: string, items: readonly string[]): void {
  for (const item of items) sql.run("INSERT OR IGNORE INTO uses (item, run_id) VALUES (?, ?)", item, runId);
}

/** Files of uploads and of other runs: inputs, and outputs of a job that another run wrote. */
export function noteForeignFiles(sql: Statements, runId: string, files: readonly RecordedFile[]): void {
  const own = `weft-data://runs/${runId}/`;
  const items = files.flatMap(({ uri }) => (uri.startsWith(own) ? [] : usedItems(uri)));
  noteUses(sql, runId, [...new Set(items)]);
}

/** An ended run uses nothing any more. */
export function forgetUses(sql: Statements, runId: string): void {
  sql.run("DELETE FROM uses WHERE run_id = ?", runId);
}

interface Removal {
  readonly item: string;
  readonly runId: string | null;
  readonly actor: string;
  readonly nowMs: number;
}

/** A second removal, of files that could not be removed at first, keeps the size of the first. */
function beginRemoval(sql: Statements, { item, runId, actor, nowMs }: Removal): boolean {
  if (sql.has("SELECT 1 FROM uses WHERE item = ? LIMIT 1", item)) return false;
  const begin = `INSERT INTO pruned (item, run_id, actor, begun_ms) VALUES (?,?,?,?)
    ON CONFLICT (item) DO UPDATE SET actor = excluded.actor, begun_ms = excluded.begun_ms, ended_ms = NULL`;
  sql.run(begin, item, runId, actor, nowMs);
  return true;
}

const KEEP_MEASURE = `INSERT INTO storage (run_id, outputs_bytes, intermediate_bytes, logs_bytes, measured_ms)
  VALUES (?,?,?,?,?)
  ON CONFLICT (run_id) DO UPDATE SET outputs_bytes = excluded.outputs_bytes, logs_bytes = excluded.logs_bytes,
    intermediate_bytes = excluded.intermediate_bytes, measured_ms = excluded.measured_ms`;

function keepMeasure(sql: Statements, runId: string, measured: MeasuredBytes & { readonly nowMs: number }): void {
  const { outputs_bytes: outputs, intermediate_bytes: intermediate, logs_bytes: logs, nowMs } = measured;
  sql.run(KEEP_MEASURE, runId, outputs, intermediate, logs, nowMs);
}
