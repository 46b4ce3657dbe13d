import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { NewEvent } from "./journal-event.ts";
import type { Projection } from "./project-job.ts";

/** An event that happened on another server; time in milliseconds since 1970. */
export interface FoldedEvent {
  readonly time_ms: number;
  readonly event: NewEvent;
}

type ImportEvent = Extract<NewEvent, { readonly type: "run.imported" }>;

/**
 * Folds a run of another server: each event of its crate, as if it had happened here at its original time. False if the
 * run has been imported before.
 */
export function importRun(
  event: ImportEvent,
  into: Projection,
  project: (event: NewEvent, into: Projection) => boolean,
): boolean {
  const { sql, nowMs } = into;
  const { made_as, made_by, made_at, crate_sha256, folded, foreign } = event.data;
  if (sql.has("SELECT 1 FROM runs WHERE imported IS NOT NULL AND imported ->> '$.made_as' = ?", made_as)) return false;
  const lines = event.blobs?.find(({ digest }) => digest === folded);
  const text = lines !== undefined && "text" in lines ? lines.text : "";
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const { time_ms: timeMs, event } = parseExactJson(line) as FoldedEvent; // written by foldEvents
    project(event, { ...into, nowMs: timeMs, seq: undefined });
  }
  const imported = { made_as, made_by, made_at, crate_sha256, foreign, imported_by: event.actor, imported_ms: nowMs };
  sql.run("UPDATE runs SET imported = ? WHERE run_id = ?", JSON.stringify(imported), event.run_id);
  into.tally.touch(event.run_id, nowMs);
  return true;
}
