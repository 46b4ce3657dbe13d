import { keepAttemptNote, readAttemptNote } from "../attempt-note.ts";

/** The array task of an attempt, written into its folder before it is submitted so that it can be found again. */
export interface TaskNote {
  readonly name: string;
  readonly index: number;
  /** Whether other attempts run in the same task. */
  readonly isPacked: boolean;
}

const NOTE_FILE = "slurm";

/** Survives a loss of power, as the task does. */
export function keepNote(folder: string, { name, index, isPacked }: TaskNote): Promise<void> {
  return keepAttemptNote(folder, NOTE_FILE, `${name} ${index}${isPacked ? " packed" : ""}\n`);
}

/** Undefined if the attempt was never about to be submitted. */
export function readNote(folder: string): TaskNote | undefined {
  const [, name, index, packed] = /^(\S+) (\d+)( packed)?\n/.exec(readAttemptNote(folder, NOTE_FILE)) ?? [];
  if (name === undefined) return undefined;
  return { name, index: Number(index), isPacked: packed !== undefined };
}
