import { isUtf8 } from "node:buffer";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from "yauzl";
import { safePath } from "./safe-path.ts";

export interface UnpackLimits {
  readonly entries: number;
  /** Total unpacked size of all files. */
  readonly bytes: number;
}

/** Maximum memory for the central directory of a zip. */
const LONGEST_DIRECTORY_BYTES = 64 * 1024 * 1024;
/** The Unix file type in the upper half of the external attributes. */
const KIND = 0o170000;
const PLAIN_KINDS = new Set([0, 0o100000, 0o040000]);

interface SafeEntry {
  readonly entry: Entry;
  /** Relative to the folder to which the zip is unpacked. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Receives an untrusted zip in a file, unpacks it like `unpackZip`, and removes the file. */
export async function unpackStream(
  content: Readable,
  { zip, folder }: { readonly zip: string; readonly folder: string },
  limits: UnpackLimits & { readonly tooLarge: string },
): Promise<void> {
  await pipeline(content, meter(limits), createWriteStream(zip, { mode: 0o600 }));
  await unpackZip(zip, folder, limits);
  await rm(zip);
}

function meter({ bytes, tooLarge }: { readonly bytes: number; readonly tooLarge: string }): Transform {
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > bytes) done(new Refusal("body-too-large", tooLarge));
      else done(null, chunk);
    },
  });
}

/**
 * Unpacks an untrusted zip into an empty folder. Checks the central directory before it writes anything: refuses names
 * that lead out of the folder, duplicate names, links, and anything over the limits. No entry may grow beyond its
 * declared size, so a small file cannot fill the disk. Keeps only the permission to execute. Refuses `invalid-crate` or
 * `body-too-large`; the caller removes the files written until then.
 */
export async function unpackZip(zip: string, folder: string, limits: UnpackLimits): Promise<void> {
  // Decodes and checks names here, so that the error can name the entry.
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
    throw new Refusal(
      "body-too-large",
      `The zip has ${file.entryCount} entries; at most ${limits.entries} are allowed.`,
    );
  const entries = new Map<string, SafeEntry>();
  let [bytes, directoryBytes] = [0, 0];
  for await (const entry of file.eachEntry()) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (directoryBytes > LONGEST_DIRECTORY_BYTES) throw brokenZip("its directory is too large");
    const name = nameOf(entry);
    const path = safePath(name);
    refuseUnreadable(entry, name);
    if (entries.has(path)) throw brokenZip(`"${path}" occurs twice`);
    entries.set(path, { entry, path, isFolder: name.endsWith("/") });
    bytes += entry.uncompressedSize;
  }
  if (bytes > limits.bytes)
    throw new Refusal("body-too-large", `The zip unpacks to ${bytes} bytes; at most ${limits.bytes} are allowed.`);
  return [...entries.values()];
}

/** Many programs write UTF-8 without setting the flag. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  if (isUtf8(fileNameRaw)) return fileNameRaw.toString("utf8");
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}

function refuseUnreadable(entry: Entry, name: string): void {
  if (entry.isEncrypted()) throw brokenZip(`"${name}" is encrypted`);
  if (!entry.canDecodeFileData())
    throw brokenZip(`"${name}" uses an unknown compression method (${entry.compressionMethod})`);
  const mode = entry.externalFileAttributes >>> 16;
  if (!PLAIN_KINDS.has(mode & KIND)) throw brokenZip(`"${name}" is a link or a device, not a file`);
}

function refuseFilesAsFolders(entries: readonly SafeEntry[]): void {
  const files = new Set(entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path));
  for (const { path } of entries)
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
      if (files.has(path.slice(0, slash))) throw brokenZip(`"${path.slice(0, slash)}" is both a file and a folder`);
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
    const mode = 0o600 | ((entry.externalFileAttributes >>> 16) & 0o100);
    await pipeline(content, checksum, createWriteStream(target, { flags: "wx", mode }));
  } catch (error) {
    brokenUnlessSystem(error, `"${path}": `);
  }
  if (sum !== entry.crc32) throw brokenZip(`"${path}" does not match its checksum`);
}

/** Disk errors name a system call; every other error describes a fault in the zip. */
function brokenUnlessSystem(error: unknown, where = ""): never {
  if (!(error instanceof Error) || error instanceof Refusal || "syscall" in error) throw error;
  throw brokenZip(where + error.message.replace(/\.$/, ""));
}

function brokenZip(why: string): Refusal {
  return new Refusal("invalid-crate", `This is not a valid or complete zip file: ${why}.`);
}
