import type { StoredEvent } from "./event-hash.ts";
import type { Row } from "./statements.ts";

/** A row of `events`. */
export function toStoredEvent(row: Row): StoredEvent {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    seq: Number(row["seq"]),
    type: String(row["type"]),
    timeMs: Number(row["time_ms"]),
    runId: text("run_id"),
    jobId: text("job_id"),
    step: text("step"),
    sampleId: text("sample_id"),
    actor: String(row["actor"]),
    data: String(row["data"]),
  };
}
