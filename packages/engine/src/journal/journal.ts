import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { LogReader } from "./log-reader.ts";
import type { NewEvent } from "./journal-event.ts";
import type { StorageTrouble } from "./storage/storage-trouble.ts";

/** Hears why the log cannot be written now, with the database's own words; undefined: it can again. */
export type TroubleListener = (trouble: StorageTrouble | undefined, message: string) => void;

/**
 * The append-only log: the one place in which Weft remembers anything. An event is durable when `append` resolves, and
 * only then do subscribers hear of it, in order of `seq`. `null` stands for an event that was refused because its run
 * or job had ended already (the first final event wins).
 */
export interface Journal {
  /** While the disk is in trouble what has happened waits; what a person asks for rejects with a Refusal. */
  append(events: readonly NewEvent[]): Promise<readonly (WeftEvent | null)[]>;
  readonly read: LogReader;
  readonly lastSeq: number;
  /** The time that an event would be given now, which durations are reckoned with. Milliseconds since 1970. */
  readonly nowMs: () => number;
  subscribe(listener: (events: readonly WeftEvent[]) => void): () => void;
  readonly trouble: StorageTrouble | undefined;
  /** Resolves when the log can be written, at once where it can. */
  readonly well: Promise<void>;
  onTrouble(listener: TroubleListener): () => void;
  close(): Promise<void>;
}
