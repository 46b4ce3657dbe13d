import type { FileHandle } from "node:fs/promises";
import { Refusal } from "@weft/shared/records/refusal.ts";

/** What the directory of a zip says of an entry. Sizes in bytes. */
export interface ZipEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** 0: as it is, 8: deflated; anything else was refused. */
  readonly method: 0 | 8;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  /** Where its local header stands in the file. */
  readonly offset: number;
}

const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const LONGEST_DIRECTORY = 64 * 1024 * 1024;
const FULL_32 = 0xffffffff;
const IS_ENCRYPTED = 1;
/** The kind of a file in the mode of Unix, which stands in the upper half of the attributes. */
const KIND = 0o170000;
const PLAIN_KINDS = new Set([0, 0o100000, 0o040000]);

export function brokenZip(why: string): Refusal {
  return new Refusal("invalid-crate", `The zip cannot be read: ${why}.`);
}

/** Reads the directory of a zip, ZIP64 included. Refuses `invalid-crate` what is broken, encrypted, a link or a device. */
export async function readZipDirectory(file: FileHandle, fileBytes: number): Promise<readonly ZipEntry[]> {
  const { count, start, bytes } = await findDirectory(file, fileBytes);
  if (bytes > LONGEST_DIRECTORY || start + bytes > fileBytes) throw brokenZip("its directory is too large or cut off");
  const directory = await readAt(file, start, bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY) throw brokenZip("its directory is broken");
    const next = at + 46 + lengthsAt(directory, at);
    if (next > directory.length) throw brokenZip("its directory is broken");
    entries.push(readEntry(directory.subarray(at, next)));
    at = next;
  }
  return entries;
}

function lengthsAt(directory: Buffer, at: number): number {
  return [28, 30, 32].reduce((sum, field) => sum + directory.readUInt16LE(at + field), 0);
}

interface DirectoryPlace {
  readonly count: number;
  readonly start: number;
  readonly bytes: number;
}

async function findDirectory(file: FileHandle, fileBytes: number): Promise<DirectoryPlace> {
  const from = Math.max(0, fileBytes - END_BYTES - LONGEST_COMMENT - 20);
  const tail = await readAt(file, from, fileBytes - from);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + END_BYTES > tail.length || tail.readUInt32LE(end) !== END)
    throw brokenZip("it is no zip, or its end is missing");
  const locator = end - 20;
  if (locator >= 0 && tail.readUInt32LE(locator) === LOCATOR_64)
    return readEnd64(file, toNumber(tail.readBigUInt64LE(locator + 8)), fileBytes);
  return {
    count: tail.readUInt16LE(end + 10),
    bytes: tail.readUInt32LE(end + 12),
    start: tail.readUInt32LE(end + 16),
  };
}

async function readEnd64(file: FileHandle, offset: number, fileBytes: number): Promise<DirectoryPlace> {
  if (offset + 56 > fileBytes) throw brokenZip("its end is missing");
  const end = await readAt(file, offset, 56);
  if (end.readUInt32LE(0) !== END_64) throw brokenZip("its end is broken");
  return {
    count: toNumber(end.readBigUInt64LE(32)),
    bytes: toNumber(end.readBigUInt64LE(40)),
    start: toNumber(end.readBigUInt64LE(48)),
  };
}

function toNumber(large: bigint): number {
  if (large > BigInt(Number.MAX_SAFE_INTEGER)) throw brokenZip("it names sizes that no file has");
  return Number(large);
}

function readEntry(header: Buffer): ZipEntry {
  const nameBytes = header.readUInt16LE(28);
  const name = header.toString("utf8", 46, 46 + nameBytes);
  const method = header.readUInt16LE(10);
  if ((header.readUInt16LE(8) & IS_ENCRYPTED) !== 0) throw brokenZip(`"${name}" is encrypted`);
  if (method !== 0 && method !== 8) throw brokenZip(`"${name}" is packed in a way that is not known (${method})`);
  const mode = header.readUInt32LE(38) >>> 16;
  if (!PLAIN_KINDS.has(mode & KIND)) throw brokenZip(`"${name}" is a link or a device, not a file`);
  const extra = header.subarray(46 + nameBytes, 46 + nameBytes + header.readUInt16LE(30));
  const [size = 0, packedSize = 0, offset = 0] = widen(
    [header.readUInt32LE(24), header.readUInt32LE(20), header.readUInt32LE(42)],
    extra,
  );
  const isFolder = name.endsWith("/");
  return { name, isFolder, method, crc32: header.readUInt32LE(16), packedSize, size, offset };
}

/** What does not fit into 32 bits stands, in this order, in the extra field 1. */
function widen(values: readonly number[], extra: Buffer): readonly number[] {
  let wide = zip64Field(extra);
  return values.map((value) => {
    if (value !== FULL_32) return value;
    if (wide.length < 8) throw brokenZip("a size is missing");
    const large = toNumber(wide.readBigUInt64LE(0));
    wide = wide.subarray(8);
    return large;
  });
}

function zip64Field(extra: Buffer): Buffer {
  let at = 0;
  while (at + 4 <= extra.length) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return Buffer.alloc(0);
}

/** Refuses where the file ends before. */
export async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const content = Buffer.alloc(bytes);
  let read = 0;
  while (read < bytes) {
    const { bytesRead } = await file.read(content, read, bytes - read, position + read);
    if (bytesRead === 0) throw brokenZip("it is cut off");
    read += bytesRead;
  }
  return content;
}
