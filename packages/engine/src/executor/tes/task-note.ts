import { readAttemptNote, writeAttemptNote } from "../attempt-note.ts";

/** Which task an attempt is: the key is written into its folder before the task is posted, the server's id once it is known. */
export interface TesNote {
  /** Value of the task's tag `weft.attempt`, and its name. */
  readonly key: string;
  readonly id: string | undefined;
}

const NOTE_FILE = "tes";

/** Two lines: the key, and the id where there is one. */
export function writeNote(folder: string, { key, id }: TesNote): void {
  writeAttemptNote(folder, NOTE_FILE, `${key}\n${id === undefined ? "" : `${id}\n`}`);
}

/** Undefined where the attempt was never about to be posted. */
export function readNote(folder: string): TesNote | undefined {
  const [key = "", id = ""] = readAttemptNote(folder, NOTE_FILE).split("\n");
  return key === "" ? undefined : { key, id: id === "" ? undefined : id };
}
