import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";

const ENTRY = 0x02014b50;
const END = 0x06054b50;

export interface UnpackedEntry {
  readonly name: string;
  readonly content: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Reads a small zip of stored entries from its central directory and checks every CRC, so that tests need no external
 * program.
 */
export function readZip(zip: Buffer): readonly UnpackedEntry[] {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error("the zip is incomplete");
  const entries: UnpackedEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error("the directory of the zip is broken");
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const next = at + 46 + (nameBytes ?? 0);
    entries.push(readEntry(zip, at, zip.toString("utf8", at + 46, next)));
    at = next + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return entries;
}

function readEntry(zip: Buffer, at: number, name: string): UnpackedEntry {
  const local = zip.readUInt32LE(at + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const content = zip.subarray(start, start + zip.readUInt32LE(at + 24));
  if (zip.readUInt16LE(at + 10) !== 0) throw new Error(`${name} is compressed`);
  if (crc32(content) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} does not match its checksum`);
  return { name, content, mode: (zip.readUInt32LE(at + 38) >>> 16) & 0o777 };
}

/** Writes the entries below a folder, as an unzip program would. */
export async function unpackZip(zip: Buffer, folder: string): Promise<void> {
  for (const { name, content, mode } of readZip(zip)) {
    const path = join(folder, name);
    await mkdir(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (name.endsWith("/")) continue;
    await writeFile(path, content);
    await chmod(path, mode);
  }
}
