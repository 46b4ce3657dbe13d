import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ABSENT } from "../job-record.ts";

/** Which task of which array an attempt is: written into its folder before it is submitted, so that it is found again. */
export interface TaskNote {
  readonly name: string;
  readonly index: number;
  /** Whether other attempts run in the same task. */
  readonly isPacked: boolean;
}

const NOTE_FILE = "slurm";

export function writeNote(folder: string, { name, index, isPacked }: TaskNote): void {
  const path = join(folder, NOTE_FILE);
  writeFileSync(`${path}.new`, `${name} ${index}${isPacked ? " packed" : ""}\n`);
  renameSync(`${path}.new`, path);
}

/** Undefined where the attempt was never about to be submitted. */
export function readNote(folder: string): TaskNote | undefined {
  const [, name, index, packed] = /^(\S+) (\d+)( packed)?\n/.exec(readText(join(folder, NOTE_FILE))) ?? [];
  if (name === undefined) return undefined;
  return { name, index: Number(index), isPacked: packed !== undefined };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return "";
    throw error;
  }
}
