import { hash } from "node:crypto";
import type { Row } from "./statements.ts";

/** An event as stored in the log. `timeMs`: milliseconds since 1970 (UTC); `data`: exactly the stored JSON text. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly timeMs: number;
  readonly runId: string | null;
  readonly jobId: string | null;
  readonly step: string | null;
  readonly sampleId: string | null;
  readonly actor: string;
  readonly data: string;
}

/** The predecessor of the first event. */
export const FIRST_HASH = "0".repeat(64);

/**
 * The hash of an event: SHA-256, in hexadecimal digits, of the previous event's hash, a line feed, and the event as a
 * JSON array. Objects too large for an event are included by their own digest, so the last hash covers everything that
 * the log has ever said.
 */
export function eventHash(previous: string, event: StoredEvent): string {
  const { seq, type, timeMs, runId, jobId, step, sampleId, actor, data } = event;
  return hash(
    "sha256",
    `${previous}\n${JSON.stringify([seq, type, timeMs, runId, jobId, step, sampleId, actor, data])}`,
  );
}

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
