import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { ContentDigest } from "./content-digest.ts";
import { HashPool } from "./hash-pool.ts";

const INLINE_BYTES = 256 * 1024;
const pool = new HashPool();

/**
 * Hashes a file once for both digests; large ones in a worker thread. With `sync` the content is on disk when this
 * resolves (fsync), so that a record of the digest never outlives the bytes.
 */
export async function hashFile(path: string, options: { readonly sync?: boolean } = {}): Promise<ContentDigest> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (options.sync === true) await handle.sync();
    if (size > INLINE_BYTES) return await pool.hash(path);
    return digestOf(await handle.readFile());
  } finally {
    await handle.close();
  }
}

export function digestOf(content: Uint8Array): ContentDigest {
  return {
    sha1: `sha1$${createHash("sha1").update(content).digest("hex")}`,
    sha256: createHash("sha256").update(content).digest("hex"),
    sizeBytes: content.length,
  };
}

/** `sha256:…` over a text: the name of a document in the log. */
export function textDigest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
