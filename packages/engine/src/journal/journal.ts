import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { LogReader } from "./log-reader.ts";
import type { NewEvent } from "./journal-event.ts";

/**
 * The append-only log: the one place in which Weft remembers anything. An event is durable when `append` resolves, and
 * only then do subscribers hear of it, in order of `seq`. `null` stands for an event that was refused because its run
 * or job had ended already (the first final event wins).
 */
export interface Journal {
  append(events: readonly NewEvent[]): Promise<readonly (WeftEvent | null)[]>;
  readonly read: LogReader;
  readonly lastSeq: number;
  subscribe(listener: (events: readonly WeftEvent[]) => void): () => void;
  close(): Promise<void>;
}
