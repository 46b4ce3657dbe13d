import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { ContentDigest } from "./content-digest.ts";
import { HashPool } from "./hash-pool.ts";

const INLINE_BYTES = 256 * 1024;
const pool = new HashPool();

export interface HashOptions {
  /** The content is on disk when this resolves (fsync), so that a record of the digest never outlives the bytes. */
  readonly sync?: boolean;
  /** The file lies on a local disk: a small one is read at once. */
  readonly near?: boolean;
}

/** Hashes a file once for both digests; large ones in a worker thread. */
export async function hashFile(path: string, { sync = false, near = false }: HashOptions = {}): Promise<ContentDigest> {
  if (near && !sync) {
    const { size } = statSync(path);
    return size > INLINE_BYTES ? pool.hash(path) : digestOf(readFileSync(path));
  }
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (sync) await handle.sync();
    if (size > INLINE_BYTES) return await pool.hash(path);
    return digestOf(await handle.readFile());
  } finally {
    await handle.close();
  }
}

export function digestOf(content: Uint8Array): ContentDigest {
  return {
    sha1: `sha1$${hash("sha1", content)}`,
    sha256: hash("sha256", content),
    sizeBytes: content.length,
  };
}

/** `sha256:…` over a text: the name of a document in the log. */
export function textDigest(text: string): string {
  return `sha256:${hash("sha256", text)}`;
}
