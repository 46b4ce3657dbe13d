import type { NewEvent, RecordedFile } from "./journal-event.ts";
import type { Statements } from "./statements.ts";

/** Records which files an event read or wrote: one row per occurrence, equal contents are never merged. */
export function projectFiles(
  sql: Statements,
  event: NewEvent,
  direction: "input" | "output",
  files: readonly RecordedFile[],
  nowMs: number,
): void {
  for (const file of files) {
    sql.run(
      `INSERT INTO files (run_id, job_id, step, sample_id, direction, port, name, uri, source_uri, checksum, size, time_ms)
       VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`,
      event.run_id,
      event.job_id ?? null,
      event.step ?? null,
      event.sample_id ?? null,
      direction,
      file.port,
      file.name,
      file.uri,
      file.source_uri ?? null,
      file.checksum,
      file.size,
      nowMs,
    );
  }
}
