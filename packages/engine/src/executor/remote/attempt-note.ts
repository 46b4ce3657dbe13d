import { closeSync, fsyncSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncToDisk } from "../../files/write-durably.ts";

/** Atomically records an attempt's destination in its folder, so that another server can find the attempt. */
export function writeAttemptNote(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  writeSynced(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/**
 * Like `writeAttemptNote`, but the note survives a power failure once this resolves. Another machine runs the attempt
 * even if this machine loses power, and only the note makes it possible to find the attempt again.
 */
export async function keepAttemptNote(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text);
  await syncToDisk(`${path}.new`);
  await rename(`${path}.new`, path);
  for (const above of [folder, dirname(folder)]) await syncToDisk(above);
}

/** The note's bytes are on disk before its name is. */
function writeSynced(path: string, text: string): void {
  const file = openSync(path, "w");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
