import type { EventType, WeftEvent } from "@weft/shared/events/event.ts";

/** A document or object too large for an event, stored once under the digest of its text (`sha256:…`). */
export interface Blob {
  readonly digest: string;
  readonly text: string;
}

/** A text too long for memory: its parts are blobs that were stored before, or are stored with it. */
export interface LongBlob {
  /** The digest of the whole text. */
  readonly digest: string;
  /** Digests of the parts, in order. */
  readonly parts: readonly string[];
}

/** An event to append: the journal adds `seq` and `time`. */
export type NewEvent = {
  readonly [Type in EventType]: Omit<Extract<WeftEvent, { readonly type: Type }>, "seq" | "time"> & {
    /** Stored in the same transaction. */
    readonly blobs?: readonly (Blob | LongBlob)[];
  };
}[EventType];

/** The fields that the log adds to an event. */
export interface Appended {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
}

/**
 * The event as recorded. Its data comes from the new event, because the thread that writes the log returns nothing that
 * the caller already has.
 */
export function appendedEvent(event: NewEvent, { seq, timeMs }: Appended): WeftEvent {
  const { type, run_id, job_id, step, sample_id, actor, data } = event;
  return {
    seq,
    type,
    time: new Date(timeMs).toISOString(),
    run_id,
    ...(job_id === undefined ? {} : { job_id }),
    ...(step === undefined ? {} : { step }),
    ...(sample_id === undefined ? {} : { sample_id }),
    actor,
    data,
  } as WeftEvent; // `type` and `data` are from one event, which the compiler forgets
}

/** The events of a batch; null for a refused event. */
export function appendedEvents(
  events: readonly NewEvent[],
  answers: readonly (Appended | null)[],
): readonly (WeftEvent | null)[] {
  return events.map((event, index) => {
    const appended = answers[index] ?? null;
    return appended === null ? null : appendedEvent(event, appended);
  });
}
