import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ABSENT } from "./job-record.ts";

/** Writes into an attempt's folder where the attempt is sent, so that another server can find it: atomically. */
export function writeAttemptNote(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** Empty if there is no note. */
export function readAttemptNote(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return "";
    throw error;
  }
}
