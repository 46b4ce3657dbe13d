import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { randomUUID } from "node:crypto";

/** Writes a file that only this account can read. Its bytes are on disk when the promise resolves. */
export async function writeDurably(path: string, content: string | Buffer): Promise<void> {
  await using handle = await open(path, "w", 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

/** Writes such a file before this returns. */
export function writeDurablyNow(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "w", 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes such a file so that readers find its old content or all of the new one, even after a loss of power. */
export async function replaceDurably(path: string, content: string | Buffer): Promise<void> {
  const partial = `${path}.${randomUUID()}.partial`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeDurably(partial, content);
  await rename(partial, path);
  await syncToDisk(dirname(path));
}

/** Makes a file, or the names in a folder, survive a loss of power. Only for paths that only the server writes. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
