import { hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { remembersUntilExit } from "../async/process-memory.ts";
import { ThreadPool } from "../async/thread-pool.ts";
import { openTrustedFile, type OpenFile } from "./beneath/open-file.ts";
import { runLater } from "./beneath/steps.ts";
import type { ContentDigest } from "./content-digest.ts";

/** Threads that hash large files. */
const threads = new ThreadPool({
  script: new URL("./hash-worker.ts", import.meta.url),
  width: Math.max(1, Math.min(4, availableParallelism() - 1)),
});
const INLINE_BYTES = 256 * 1024;
const REMEMBERED = 20_000;
/** A file that was written within this time may be written again within the same tick of the disk's clock. */
const SETTLED_MS = 1000;
/** The clock of a local disk ticks at least a hundred times a second. */
const NEAR_SETTLED_MS = 20;
/** Waiting for the next tick costs less than reading this much again. */
const WORTH_WAITING_BYTES = 32 * 1024 * 1024;
/** Digests by file identity and state; oldest first. */
const known = new Map<string, ContentDigest>();
/** The digests last computed here, by path; oldest first. */
const latest = new Map<string, ContentDigest>();
/** Digests of files being read, by their state. */
const underWay = new Map<string, Promise<ContentDigest>>();
remembersUntilExit(() => [known, latest, underWay].forEach((digests) => digests.clear()));

export interface HashOptions {
  /** The content is on disk (fsync) when this promise resolves, so no record of the digest outlives the bytes. */
  readonly sync?: boolean;
  /** The file is on a local disk: a small one is read synchronously, which takes less time than passing it to a thread. */
  readonly near?: boolean;
}

/**
 * Hashes a file once for both digests; large ones in a worker thread. A file that has not changed since (the same inode,
 * size and times) is not read again, nor is one that another call is already reading. The path must be one that only
 * the server writes; open anything else through a Reach and pass it to `hashOpenFile`.
 */
export async function hashFile(path: string, options: HashOptions = {}): Promise<ContentDigest> {
  using file = await runLater(openTrustedFile(path));
  return await hashOpenFile(file, path, options);
}

/** Hashes an open file; `path`: the key of its remembered digest. */
export async function hashOpenFile(
  file: OpenFile,
  path: string,
  { sync = false, near = false }: HashOptions = {},
): Promise<ContentDigest> {
  const digest = await readDigest(file, { sync, near });
  remember(latest, path, digest);
  return digest;
}

/**
 * The digests that this process last found in the file, so that a caller who needs SHA-256 after SHA-1 need not read it
 * again. Undefined if it was not hashed here, or too long ago.
 */
export function lastDigest(path: string): ContentDigest | undefined {
  return latest.get(path);
}

async function readDigest(file: OpenFile, { sync, near }: Required<HashOptions>): Promise<ContentDigest> {
  if (near && !sync && file.stats.size <= INLINE_BYTES) return digestOf(file.readAll());
  if (sync) await runLater(file.sync());
  const found = file.stateNow();
  const key = stateOf(found);
  const remembered = known.get(key) ?? underWay.get(key);
  if (remembered !== undefined) return remembered;
  const reading = read(file, { found, near });
  underWay.set(key, reading);
  return reading.finally(() => underWay.delete(key));
}

/** True if the digest of the file in its current state is known without reading it. */
export function isRemembered(file: OpenFile): boolean {
  return known.has(stateOf(file.stateNow()));
}

interface FoundFile {
  readonly found: BigIntStats;
  readonly near: boolean;
}

async function read(file: OpenFile, { found, near }: FoundFile): Promise<ContentDigest> {
  const settledMs = near ? NEAR_SETTLED_MS : SETTLED_MS;
  if (near && found.size > WORTH_WAITING_BYTES && !isSettled(found, settledMs)) await pause(NEAR_SETTLED_MS);
  const isFirm = isSettled(found, settledMs);
  const digest =
    found.size > INLINE_BYTES
      ? await hashInThread(file.descriptorPath)
      : digestOf(near ? file.readAll() : await readFile(file.descriptorPath));
  const key = stateOf(found);
  if (isFirm && stateOf(file.stateNow()) === key) remember(known, key, digest);
  return digest;
}

/** True if the digest of any file is cached, so that checking the state of files is worthwhile. */
export function remembersStates(): boolean {
  return known.size > 0;
}

/**
 * Keeps the remembered digest of one of Weft's files after a new hard link, which changes only its times. `before`: its
 * state before that.
 */
export function rememberLinked(before: BigIntStats, after: BigIntStats): void {
  const digest = known.get(stateOf(before));
  const isSame = after.ino === before.ino && after.size === before.size && after.mtimeNs === before.mtimeNs;
  if (digest !== undefined && isSame) remember(known, stateOf(after), digest);
}

/** Remembers the digest for an unchanged copy at another path. */
export function rememberPlace(from: readonly string[], to: string): void {
  const digest = from.map(lastDigest).find((found) => found !== undefined);
  if (digest !== undefined) remember(latest, to, digest);
}

function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** True if a file has not changed for some time; false for times in the future. */
function isSettled({ ctimeMs, mtimeMs }: BigIntStats, settledMs: number): boolean {
  const limit = BigInt(Date.now() - settledMs);
  return ctimeMs < limit && mtimeMs < limit;
}

function remember(digests: Map<string, ContentDigest>, key: string, digest: ContentDigest): void {
  // Inserting it again makes it the newest.
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

/** The digest of a text in the form `sha256:…`, which is the name of a document in the log. */
export function textDigest(text: string): string {
  return `sha256:${hash("sha256", text)}`;
}

async function hashInThread(path: string): Promise<ContentDigest> {
  // The thread returns the value of its function (hash-worker.ts), but messages are untyped.
  return (await threads.ask({ queue: path, task: "digestFile", args: [path] })) as ContentDigest;
}
