import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { crc32, deflateRawSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { zipArchive } from "../zip-archive.ts";
import { unpackZip } from "./unpack-zip.ts";

const root = temporaryFolder();
const LIMITS = { entries: 10, bytes: 10_000 };

interface Entry {
  readonly name: string | Buffer;
  readonly content?: string;
  readonly isDeflated?: boolean;
  /** Size in the central directory, if it differs from the real one. */
  readonly size?: number;
  readonly sum?: number;
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly extra?: Buffer;
}

/** A zip as an attacker may write it. */
function zipOf(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, content = "", isDeflated = false, mode = 0o100644, flags = 0, extra = Buffer.alloc(0) } = entry;
    const plain = Buffer.from(content);
    const packed = isDeflated ? deflateRawSync(plain) : plain;
    const { method = isDeflated ? 8 : 0, size = plain.length, sum = crc32(plain) } = entry;
    const local = head(30, { 0: 0x04034b50 }, { 26: Buffer.byteLength(name) });
    const part = Buffer.concat([local, Buffer.from(name), packed]);
    const sizes = { 16: sum, 20: packed.length, 24: size, 38: mode * 2 ** 16, 42: offset };
    const fields = { 8: flags, 10: method, 28: Buffer.byteLength(name), 30: extra.length };
    directory.push(head(46, { 0: 0x02014b50, ...sizes }, fields), Buffer.from(name), extra);
    parts.push(part);
    offset += part.length;
  }
  const list = Buffer.concat(directory);
  const end = head(22, { 0: 0x06054b50, 12: list.length, 16: offset }, { 10: entries.length });
  return Buffer.concat([...parts, list, end]);
}

/** A structure of a zip: its numbers of four and of two bytes, by their offsets. */
function head(length: number, long: Readonly<Record<number, number>>, short: Readonly<Record<number, number>>): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of Object.entries(long)) bytes.writeUInt32LE(value, Number(at));
  for (const [at, value] of Object.entries(short)) bytes.writeUInt16LE(value, Number(at));
  return bytes;
}

const abc = (more: Partial<Entry> = {}) => zipOf([{ name: "a", content: "abc", ...more }]);

let count = 0;
async function unpack(zip: Buffer, limits = LIMITS): Promise<string> {
  const folder = join(root, String(++count), "unpacked");
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}.zip`, zip);
  await unpackZip(`${folder}.zip`, folder, limits);
  return folder;
}

describe("unpackZip", () => {
  it("unpacks zips of Weft and deflated zips of other programs", async () => {
    const entries = [
      { kind: "text", name: "a b/ü.txt", text: "é\n" },
      { kind: "folder", name: "empty" },
    ] as const;
    const own = await unpack(await buffer(zipArchive(entries, new Date("2026-11-21T12:00:00Z"))));
    assert.equal(await readFile(join(own, "a b/ü.txt"), "utf8"), "é\n");
    assert.deepEqual((await readdir(own)).sort(), ["a b", "empty"]);
    const other = await unpack(
      zipOf([{ name: "x/y.txt", content: "y".repeat(5000), isDeflated: true }, { name: "none" }]),
    );
    assert.equal((await readFile(join(other, "x/y.txt"), "utf8")).length, 5000);
    assert.equal(await readFile(join(other, "none"), "utf8"), "");
  });

  const refused: Readonly<Record<string, readonly [zip: Buffer, expected: RegExp]>> = {
    "a name that climbs out": [zipOf([{ name: "../x" }]), /could be unpacked outside/],
    "one that climbs out further down": [zipOf([{ name: "a/../../x" }]), /could be unpacked outside/],
    "an absolute name": [zipOf([{ name: "/etc/x" }]), /could be unpacked outside/],
    "a name of another system": [zipOf([{ name: "a\\..\\x" }]), /could be unpacked outside/],
    "a drive": [zipOf([{ name: "c:x" }]), /could be unpacked outside/],
    "a name with a zero byte": [zipOf([{ name: "a\0b" }]), /could be unpacked outside/],
    "a link": [zipOf([{ name: "link", content: "/etc/passwd", mode: 0o120777 }]), /is a link or a device/],
    "a device": [zipOf([{ name: "null", mode: 0o020666 }]), /is a link or a device/],
    "a name that occurs twice": [zipOf([{ name: "a" }, { name: "a" }]), /occurs twice/],
    "a file that is a folder as well": [zipOf([{ name: "a" }, { name: "a/b/c" }]), /"a" is both a file and a folder/],
    "an encrypted entry": [zipOf([{ name: "a", content: "x".repeat(12), size: 0, flags: 1 }]), /"a" is encrypted/],
    "an unknown compression method": [zipOf([{ name: "a", method: 14 }]), /uses an unknown compression method/],
    "an entry that is longer than declared": [
      zipOf([{ name: "bomb", content: "0".repeat(9000), isDeflated: true, size: 10 }]),
      /"bomb": too many bytes in the stream. expected 10/,
    ],
    "an entry that is shorter than declared": [abc({ size: 9 }), /size mismatch for stored file: 3 != 9/],
    "a deflated entry that is shorter than declared": [
      abc({ isDeflated: true, size: 9 }),
      /"a": not enough bytes in the stream/,
    ],
    "a checksum that does not match": [abc({ sum: 1 }), /does not match its checksum/],
    "broken content": [abc({ content: "no deflate at all", method: 8 }), /"a": invalid block type/],
    "a zip that is cut off": [abc().subarray(0, 40), /not a zip file, or file is truncated/],
    nothing: [Buffer.alloc(0), /not a zip file/],
    "a central directory that points nowhere": [directoryMoved(), /invalid central directory/],
  };
  for (const [what, [zip, expected]] of Object.entries(refused))
    it(`refuses ${what}`, async () => {
      await assert.rejects(unpack(zip), { code: "invalid-crate", message: expected });
      assert.ok(!(await readdir(root)).includes("x"));
    });

  it("keeps at most 64 MiB of a directory, regardless of its declared size", async () => {
    const extra = Buffer.concat([Buffer.from([0xfe, 0xca, 0xf0, 0xff]), Buffer.alloc(0xfff0)]);
    const zip = zipOf(Array.from({ length: 1100 }, (_, index) => ({ name: String(index), extra })));
    await assert.rejects(unpack(zip, { entries: 2000, bytes: 10_000 }), {
      code: "invalid-crate",
      message: /its directory is too large/,
    });
  });

  it("decodes names of other systems", async () => {
    const folder = await unpack(zipOf([{ name: Buffer.from([0x81, 0x2e, 0x74]) }]));
    assert.deepEqual(await readdir(folder), ["ü.t"]);
  });

  it("refuses more than the limits allow before anything is written", async () => {
    const many = zipOf(Array.from({ length: 11 }, (_, index) => ({ name: String(index) })));
    await assert.rejects(unpack(many), { code: "body-too-large", message: /11 entries; at most 10 are allowed/ });
    const large = zipOf([{ name: "a", content: "0".repeat(20_000), isDeflated: true }]);
    await assert.rejects(unpack(large), { code: "body-too-large", message: /unpacks to 20000 bytes/ });
    assert.deepEqual(await readdir(join(root, String(count), "unpacked")), []);
  });
});

function directoryMoved(): Buffer {
  const zip = abc();
  zip.writeUInt32LE(3, zip.length - 6);
  return zip;
}
