import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { safePath } from "./safe-path.ts";
import { brokenZip, readAt, readZipDirectory } from "./zip-directory.ts";
import type { ZipEntry } from "./zip-directory.ts";

export interface UnpackLimits {
  readonly entries: number;
  /** Of all files together, unpacked. */
  readonly bytes: number;
}

const LOCAL_HEADER = 0x04034b50;

/**
 * Unpacks a zip from anywhere below an empty folder. What its directory promises is judged before anything is written: names that
 * lead out, names that stand twice, links, and more than the limits allow are refused, and no entry gets longer than was
 * promised, so that a small file cannot become a full disk. Refuses `invalid-crate` or `body-too-large`; what was written
 * until then stays for the caller to remove.
 */
export async function unpackZip(zip: string, folder: string, limits: UnpackLimits): Promise<void> {
  const file = await open(zip, "r");
  try {
    const { size } = await file.stat();
    const entries = await readZipDirectory(file, size);
    refuseUnsafe(entries, limits);
    for (const entry of entries) await unpackEntry({ zip, file }, entry, folder);
  } finally {
    await file.close();
  }
}

function refuseUnsafe(entries: readonly ZipEntry[], limits: UnpackLimits): void {
  if (entries.length > limits.entries)
    throw new Refusal("body-too-large", `The zip has ${entries.length} entries; ${limits.entries} are allowed.`);
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.bytes)
    throw new Refusal("body-too-large", `The zip unpacks to ${bytes} bytes; ${limits.bytes} are allowed.`);
  const names = new Set<string>();
  for (const { name } of entries) {
    const path = safePath(name);
    if (names.has(path)) throw brokenZip(`"${path}" is in it twice`);
    names.add(path);
  }
  // Nothing is at once a file and a folder of others.
  const files = new Set(entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name));
  for (const { name } of entries)
    for (let slash = name.lastIndexOf("/", name.length - 2); slash > 0; slash = name.lastIndexOf("/", slash - 1))
      if (files.has(name.slice(0, slash))) throw brokenZip(`"${name.slice(0, slash)}" is a file and a folder`);
}

/** Contents are read through streams of their own: those of one handle would add up to the end. */
interface OpenZip {
  readonly zip: string;
  readonly file: FileHandle;
}

async function unpackEntry({ zip, file }: OpenZip, entry: ZipEntry, folder: string): Promise<void> {
  const path = join(folder, safePath(entry.name));
  await mkdir(entry.isFolder ? path : dirname(path), { recursive: true });
  if (entry.isFolder) return;
  const start = await contentStart(file, entry);
  const packed =
    entry.packedSize === 0
      ? new PassThrough().end()
      : createReadStream(zip, { start, end: start + entry.packedSize - 1 });
  const meter = new EntryMeter(entry);
  const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
  try {
    await (entry.method === 8 ? pipeline(packed, createInflateRaw(), meter, target) : pipeline(packed, meter, target));
  } catch (error) {
    // The library's word for content that is not what it says it is.
    if (String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw brokenZip(`"${entry.name}" is broken`);
    throw error;
  }
  meter.requireWhole();
}

async function contentStart(file: FileHandle, { name, offset }: ZipEntry): Promise<number> {
  const header = await readAt(file, offset, 30);
  if (header.readUInt32LE(0) !== LOCAL_HEADER) throw brokenZip(`"${name}" is not where its directory says`);
  return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** Passes on no more than was promised, and knows at the end whether it was that. */
class EntryMeter extends Transform {
  readonly #entry: ZipEntry;
  #bytes = 0;
  #sum = 0;

  constructor(entry: ZipEntry) {
    super();
    this.#entry = entry;
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null, data?: Buffer) => void,
  ): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#entry.size)
      return done(brokenZip(`"${this.#entry.name}" is longer than its directory says`));
    this.#sum = crc32(chunk, this.#sum);
    done(null, chunk);
  }

  requireWhole(): void {
    if (this.#bytes !== this.#entry.size || this.#sum !== this.#entry.crc32)
      throw brokenZip(`"${this.#entry.name}" is not what was packed`);
  }
}
