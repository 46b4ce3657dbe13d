import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ABSENT } from "./job-record.ts";

/** Writes down in an attempt's folder where it is handed over to, so that it is found again: all of it or nothing. */
export function writeAttemptNote(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** Empty where none was written. */
export function readAttemptNote(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return "";
    throw error;
  }
}
