import { keepAttemptNote, readAttemptNote, writeAttemptNote } from "../attempt-note.ts";

/**
 * Maps an attempt to its task: the key is written into its folder before the task is posted, and the server's id once
 * it is known.
 */
export interface TesNote {
  /** Value of the task's tag `weft.attempt`, and its name. */
  readonly key: string;
  readonly id: string | undefined;
}

const NOTE_FILE = "tes";

/** Two lines: the key, and the id once it is known. */
export function writeNote(folder: string, note: TesNote): void {
  writeAttemptNote(folder, NOTE_FILE, textOf(note));
}

/** Before the task is posted: the note survives a loss of power, as the task does. */
export function keepNote(folder: string, note: TesNote): Promise<void> {
  return keepAttemptNote(folder, NOTE_FILE, textOf(note));
}

function textOf({ key, id }: TesNote): string {
  return `${key}\n${id === undefined ? "" : `${id}\n`}`;
}

/** Undefined if the attempt was never going to be posted. */
export function readNote(folder: string): TesNote | undefined {
  const [key = "", id = ""] = readAttemptNote(folder, NOTE_FILE).split("\n");
  return key === "" ? undefined : { key, id: id === "" ? undefined : id };
}
