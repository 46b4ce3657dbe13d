import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { ContentDigest } from "./content-digest.ts";
import { HashPool } from "./hash-pool.ts";

const INLINE_BYTES = 256 * 1024;
const REMEMBERED = 20_000;
/** A file that was written to a moment ago may be written to again within the same tick of the disk's clock. */
const SETTLED_MS = 1000n;
const pool = new HashPool();
/** Digests by what tells a file and its state; the oldest first. */
const known = new Map<string, ContentDigest>();
/** Digests by path, as they were last computed here; the oldest first. */
const latest = new Map<string, ContentDigest>();

export interface HashOptions {
  /** The content is on disk when this resolves (fsync), so that a record of the digest never outlives the bytes. */
  readonly sync?: boolean;
  /** The file lies on a local disk: a small one is read at once. */
  readonly near?: boolean;
}

/**
 * Hashes a file once for both digests; large ones in a worker thread. A file that has not changed since (the same inode,
 * size and times) is not read again.
 */
export async function hashFile(path: string, options: HashOptions = {}): Promise<ContentDigest> {
  const digest = await readDigest(path, options);
  remember(latest, path, digest);
  return digest;
}

/**
 * What this process last found in the file: who needs its SHA-256 beside a SHA-1 that was just computed need not read it
 * again. Undefined where it was not hashed here, or too long ago.
 */
export function lastDigest(path: string): ContentDigest | undefined {
  return latest.get(path);
}

async function readDigest(path: string, { sync = false, near = false }: HashOptions): Promise<ContentDigest> {
  if (near && !sync && statSync(path).size <= INLINE_BYTES) return digestOf(readFileSync(path));
  const handle = await open(path, "r");
  try {
    if (sync) await handle.sync();
    const found = await handle.stat({ bigint: true });
    const key = stateOf(found);
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const digest = found.size > INLINE_BYTES ? await pool.hash(path) : digestOf(await handle.readFile());
    if (isSettled(found) && stateOf(await stat(path, { bigint: true })) === key) remember(known, key, digest);
    return digest;
  } finally {
    await handle.close();
  }
}

function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Of times in the future nothing can be concluded. */
function isSettled({ ctimeMs, mtimeMs }: BigIntStats): boolean {
  const limit = BigInt(Date.now()) - SETTLED_MS;
  return ctimeMs < limit && mtimeMs < limit;
}

function remember(digests: Map<string, ContentDigest>, key: string, digest: ContentDigest): void {
  digests.delete(key);
  digests.set(key, digest);
  const [oldest] = digests.keys();
  if (digests.size > REMEMBERED && oldest !== undefined) digests.delete(oldest);
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
