import { open } from "node:fs/promises";

export async function writeSynced(path: string, content: string | Buffer): Promise<void> {
  await using handle = await open(path, "w", 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
