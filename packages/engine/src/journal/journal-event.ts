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
