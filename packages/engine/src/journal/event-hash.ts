import { hash } from "node:crypto";

/** An event as the log keeps it. `timeMs`: milliseconds since 1970 (UTC); `data`: the very JSON text that is stored. */
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

/** What stands before the first event. */
export const FIRST_HASH = "0".repeat(64);

/**
 * The hash of an event: SHA-256, in hexadecimal digits, over the hash of the event before it, a line feed, and the event
 * as a JSON array. Objects too large for an event are named in it by their own digest, so the last hash of a log stands
 * for everything that the log has ever said.
 */
export function eventHash(previous: string, event: StoredEvent): string {
  const { seq, type, timeMs, runId, jobId, step, sampleId, actor, data } = event;
  return hash(
    "sha256",
    `${previous}\n${JSON.stringify([seq, type, timeMs, runId, jobId, step, sampleId, actor, data])}`,
  );
}
