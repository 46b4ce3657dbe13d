import type { NewEvent } from "./journal-event.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { INDEX_NAMES, NAMES_AT_ONCE } from "./name-tables.ts";
import { namedStatement, type Statements } from "./statements.ts";

/** Records which files an event read or wrote: one row per occurrence, equal contents are never merged. */
export function projectFiles(
  sql: Statements,
  event: NewEvent,
  direction: "input" | "output",
  files: readonly RecordedFile[],
  nowMs: number,
): void {
  for (const file of files) {
    const isUnknown = file.checksum === null && file.class === undefined;
    const { checksum, sha256 = null, size } = isUnknown ? knownContent(sql, event, file) : file;
    sql.write(INSERT_FILE, {
      run_id: event.run_id,
      job_id: event.job_id ?? null,
      step: event.step ?? null,
      sample_id: event.sample_id ?? null,
      direction,
      port: file.port,
      place: file.place ?? "",
      class: file.class ?? "File",
      name: file.name,
      uri: file.uri,
      source_uri: file.source_uri ?? null,
      checksum,
      sha256,
      size,
      now_ms: nowMs,
      name_id: nameId(sql, event.run_id, file.name),
    });
  }
}

const INSERT_FILE = namedStatement(
  `INSERT INTO files (run_id, job_id, step, sample_id, direction, port, place, class, name, uri, source_uri, checksum,
     sha256, size, time_ms, name_id)
   VALUES (:run_id, :job_id, :step, :sample_id, :direction, :port, :place, :class, :name, :uri, :source_uri, :checksum,
     :sha256, :size, :now_ms, :name_id)`,
);

/** The number of a name in a run. */
function nameId(sql: Statements, runId: string | null, name: string): number {
  const known = sql.number("SELECT id FROM file_names WHERE run_id = ? AND name = ?", runId, name);
  if (known > 0) return known;
  const id = sql.number("INSERT INTO file_names (run_id, name) VALUES (?, ?) RETURNING id", runId, name);
  if (id % NAMES_AT_ONCE === 0) sql.run(INDEX_NAMES, id - NAMES_AT_ONCE, id);
  return id;
}

type Content = Pick<RecordedFile, "checksum" | "size"> & { readonly sha256?: string | null | undefined };

/** An outside file is hashed once, with the inputs of its run; the jobs read the same bytes at the same location. */
function knownContent(sql: Statements, { run_id: runId }: NewEvent, file: RecordedFile): Content {
  const known =
    "SELECT checksum, sha256, size FROM files WHERE run_id = ? AND uri = ? AND checksum IS NOT NULL LIMIT 1";
  return sql.records<Content>(known, runId, file.uri)[0] ?? file;
}

/** Updates what was read before its content was known. */
export function completeFiles(sql: Statements, runId: string, files: readonly RecordedFile[]): void {
  const complete =
    "UPDATE files SET checksum = ?, sha256 = ?, size = ? WHERE run_id = ? AND uri = ? AND checksum IS NULL";
  for (const { uri, checksum, sha256 = null, size } of files)
    if (checksum !== null) sql.run(complete, checksum, sha256, size, runId, uri);
}
