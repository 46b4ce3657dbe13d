import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { LogReader } from "./log-reader.ts";
import type { NewEvent } from "./journal-event.ts";
import type { Log } from "../log.ts";
import type { Durability } from "./open-database.ts";
import type { StorageProblem } from "./storage/storage-problem.ts";

/** Called with the database's message when the log cannot be written, and with undefined when it can again. */
export type StorageProblemListener = (storageProblem: StorageProblem | undefined, message: string) => void;

/**
 * The append-only log: the only memory of Weft. An event is durable when `append` resolves, and only then are
 * subscribers notified, in order of `seq`. `null` means that an event was refused because its run or job had
 * already ended (the first final event wins).
 */
export interface Journal {
  /** While the disk has a problem, facts wait, and requests by people reject with a Refusal. */
  append(events: readonly NewEvent[]): Promise<readonly (WeftEvent | null)[]>;
  readonly read: LogReader;
  readonly lastSeq: number;
  /** The time that an event would get now; use it for durations. Milliseconds since 1970. */
  readonly nowMs: () => number;
  subscribe(listener: (events: readonly WeftEvent[]) => void): () => void;
  readonly storageProblem: StorageProblem | undefined;
  /** Resolves when the log can be written; immediately if it can be now. */
  readonly well: Promise<void>;
  onStorageProblem(listener: StorageProblemListener): () => void;
  close(): Promise<void>;
}

/** Opens the log in a file, with the tables of all features. */
export type OpenLog = (path: string, durability: Durability, log?: Log) => Promise<Journal>;
