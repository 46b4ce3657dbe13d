import { runItem, uploadItem, usedItems } from "../files/used-items.ts";
import type { MeasuredBytes } from "@weft/shared/events/run-events.ts";
import type { NewEvent } from "./journal-event.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { Statements } from "./statements.ts";

type StorageEvent = Extract<NewEvent, { type: "run.measured" | "run.pruning" | "run.pruned" }>;

interface Place {
  readonly sql: Statements;
  readonly nowMs: number;
}

/** Folds what happens to the files of an ended run; false if an open run relies on what would be removed. */
export function projectStorageEvent(event: StorageEvent, runId: string, { sql, nowMs }: Place): boolean {
  switch (event.type) {
    case "run.measured":
      keepMeasure(sql, runId, { ...event.data, nowMs });
      return true;
    case "run.pruning":
      return beginRemoval(sql, { item: runItem(runId, event.data.part), runId, actor: event.actor, nowMs });
    case "run.pruned": {
      const { part, bytes, failures, left } = event.data;
      sql.run(
        "UPDATE pruned SET ended_ms = ?, bytes = coalesce(bytes, 0) + ?, failures = ? WHERE item = ?",
        nowMs,
        bytes,
        failures.length,
        runItem(runId, part),
      );
      keepMeasure(sql, runId, { ...left, nowMs });
      return true;
    }
  }
}

/** False if an open run refers to the upload. */
export function projectUploadPruned(
  event: Extract<NewEvent, { type: "upload.pruned" }>,
  { sql, nowMs }: Place,
): boolean {
  const item = uploadItem(event.data.upload_id);
  if (!beginRemoval(sql, { item, runId: null, actor: event.actor, nowMs })) return false;
  sql.run("UPDATE pruned SET ended_ms = ?, bytes = ?, failures = 0 WHERE item = ?", nowMs, event.data.bytes, item);
  return true;
}

/** False if something of it was removed or is about to be: a new reader would not find it. */
export function canUse(sql: Statements, items: readonly string[]): boolean {
  return !items.some((item) => sql.get("SELECT 1 FROM pruned WHERE item = ?", item) !== undefined);
}

export function noteUses(sql: Statements, runId: string, items: readonly string[]): void {
  for (const item of items) sql.run("INSERT OR IGNORE INTO uses (item, run_id) VALUES (?, ?)", item, runId);
}

/** Outputs of a job may be files written by a job of another run. */
export function noteForeignFiles(sql: Statements, runId: string, files: readonly RecordedFile[]): void {
  const own = `weft-data://runs/${runId}/`;
  const foreign = files.filter(({ uri }) => uri.startsWith("weft-data://runs/") && !uri.startsWith(own));
  noteUses(
    sql,
    runId,
    foreign.flatMap(({ uri }) => usedItems(uri)),
  );
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

/** A second removal, of what could not be removed at first, keeps the size of the first. */
function beginRemoval(sql: Statements, { item, runId, actor, nowMs }: Removal): boolean {
  if (sql.get("SELECT 1 FROM uses WHERE item = ? LIMIT 1", item) !== undefined) return false;
  sql.run(
    `INSERT INTO pruned (item, run_id, actor, begun_ms) VALUES (?,?,?,?)
       ON CONFLICT (item) DO UPDATE SET actor = excluded.actor, begun_ms = excluded.begun_ms, ended_ms = NULL`,
    item,
    runId,
    actor,
    nowMs,
  );
  return true;
}

function keepMeasure(sql: Statements, runId: string, measured: MeasuredBytes & { readonly nowMs: number }): void {
  sql.run(
    `INSERT INTO storage (run_id, outputs_bytes, intermediate_bytes, logs_bytes, measured_ms) VALUES (?,?,?,?,?)
       ON CONFLICT (run_id) DO UPDATE SET outputs_bytes = excluded.outputs_bytes, logs_bytes = excluded.logs_bytes,
         intermediate_bytes = excluded.intermediate_bytes, measured_ms = excluded.measured_ms`,
    runId,
    measured.outputs_bytes,
    measured.intermediate_bytes,
    measured.logs_bytes,
    measured.nowMs,
  );
}
