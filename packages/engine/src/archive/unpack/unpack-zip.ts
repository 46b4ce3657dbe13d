import { isUtf8 } from "node:buffer";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { getFileNameLowLevel, openPromise } from "yauzl";
import type { Entry, ZipFile } from "yauzl";
import { safePath } from "./safe-path.ts";

export interface UnpackLimits {
  readonly entries: number;
  /** Unpacked size of all files together. */
  readonly bytes: number;
}

/** The most that the directory of a zip may take in memory. */
const LONGEST_DIRECTORY_BYTES = 64 * 1024 * 1024;
/** The kind of a file in the mode of Unix, which is the upper half of the attributes. */
const KIND = 0o170000;
const PLAIN_KINDS = new Set([0, 0o100000, 0o040000]);

interface SafeEntry {
  readonly entry: Entry;
  /** Relative, below the folder to which the zip is unpacked. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Unpacks a zip from anywhere below an empty folder. What its directory promises is judged before anything is written: names that
 * lead out, names that stand twice, links, and more than the limits allow are refused, and no entry gets longer than was
 * promised, so that a small file cannot become a full disk. Refuses `invalid-crate` or `body-too-large`; what was written
 * until then stays for the caller to remove.
 */
export async function unpackZip(zip: string, folder: string, limits: UnpackLimits): Promise<void> {
  // Names are decoded and judged here, so that the error names the entry.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
  const file = await openPromise(zip, options).catch(brokenUnlessSystem);
  try {
    const entries = await readDirectory(file, limits).catch(brokenUnlessSystem);
    refuseFilesAsFolders(entries);
    for (const entry of entries) await unpackEntry(file, entry, folder);
  } finally {
    file.close();
  }
}

async function readDirectory(file: ZipFile, limits: UnpackLimits): Promise<readonly SafeEntry[]> {
  if (file.entryCount > limits.entries)
    throw new Refusal("body-too-large", `The zip has ${file.entryCount} entries; ${limits.entries} are allowed.`);
  const entries = new Map<string, SafeEntry>();
  let [bytes, directoryBytes] = [0, 0];
  for await (const entry of file.eachEntry()) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (directoryBytes > LONGEST_DIRECTORY_BYTES) throw brokenZip("its directory is too large");
    const name = nameOf(entry);
    const path = safePath(name);
    refuseUnreadable(entry, name);
    if (entries.has(path)) throw brokenZip(`"${path}" is in it twice`);
    entries.set(path, { entry, path, isFolder: name.endsWith("/") });
    bytes += entry.uncompressedSize;
  }
  if (bytes > limits.bytes)
    throw new Refusal("body-too-large", `The zip unpacks to ${bytes} bytes; ${limits.bytes} are allowed.`);
  return [...entries.values()];
}

/** Many programs write UTF-8 without saying so. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  if (isUtf8(fileNameRaw)) return fileNameRaw.toString("utf8");
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}

function refuseUnreadable(entry: Entry, name: string): void {
  if (entry.isEncrypted()) throw brokenZip(`"${name}" is encrypted`);
  if (!entry.canDecodeFileData())
    throw brokenZip(`"${name}" is packed in a way that is not known (${entry.compressionMethod})`);
  const mode = entry.externalFileAttributes >>> 16;
  if (!PLAIN_KINDS.has(mode & KIND)) throw brokenZip(`"${name}" is a link or a device, not a file`);
}

function refuseFilesAsFolders(entries: readonly SafeEntry[]): void {
  const files = new Set(entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path));
  for (const { path } of entries)
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
      if (files.has(path.slice(0, slash))) throw brokenZip(`"${path.slice(0, slash)}" is a file and a folder`);
}

async function unpackEntry(file: ZipFile, { entry, path, isFolder }: SafeEntry, folder: string): Promise<void> {
  const target = join(folder, path);
  await mkdir(isFolder ? target : dirname(target), { recursive: true });
  if (isFolder) return;
  let sum = 0;
  const checksum = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  try {
    const content = await file.openReadStreamPromise(entry);
    await pipeline(content, checksum, createWriteStream(target, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    brokenUnlessSystem(error, `"${path}": `);
  }
  if (sum !== entry.crc32) throw brokenZip(`"${path}" is not what was packed`);
}

/** Errors of the disk have a system call; all others say what is wrong with the zip. */
function brokenUnlessSystem(error: unknown, where = ""): never {
  if (!(error instanceof Error) || error instanceof Refusal || "syscall" in error) throw error;
  throw brokenZip(where + error.message.replace(/\.$/, ""));
}

function brokenZip(why: string): Refusal {
  return new Refusal("invalid-crate", `The zip cannot be read: ${why}.`);
}
