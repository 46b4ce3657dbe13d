import { renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceDurably, syncToDisk, writeDurablyNow } from "../../files/write-durably.ts";

/** Atomically records an attempt's destination in its folder, so that another server can find the attempt. */
export function writeAttemptNote(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  writeDurablyNow(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/**
 * Like `writeAttemptNote`, but the note survives a power failure once this resolves. Another machine runs the attempt
 * even if this machine loses power, and only the note makes it possible to find the attempt again.
 */
export async function keepAttemptNote(folder: string, name: string, text: string): Promise<void> {
  await replaceDurably(join(folder, name), text);
  await syncToDisk(dirname(folder));
}
