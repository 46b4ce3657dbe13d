import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Everything below a folder, links as links: the recursive mode of `readdir` follows links to folders, so a few links
 * to enclosing folders take exponential time.
 */
export async function listBelow(folder: string): Promise<readonly Dirent[]> {
  const found: Dirent[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const entry of await readdir(next, { withFileTypes: true })) {
      found.push(entry);
      if (entry.isDirectory()) waiting.push(join(next, entry.name));
    }
  return found;
}
