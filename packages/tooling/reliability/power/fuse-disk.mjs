// node fuse-disk.mjs FOLDER LOG BYTES: serves one file, FOLDER/disk, which a loop device turns into a disk, and records every
// write and every sync in LOG before it replies. It speaks the kernel's FUSE protocol (linux/fuse.h) and needs root.
import { spawnSync } from "node:child_process";
import { constants, openSync, readSync, writeSync } from "node:fs";
import { SYNC, WRITE, recordOf } from "./write-log.mjs";

const [folder, logPath, bytes] = process.argv.slice(2);
const size = Number(bytes);
const content = Buffer.alloc(size);
const log = openSync(logPath, "wx");

const ROOT_ID = 1n;
const DISK_ID = 2n;
const LARGEST_WRITE = 1 << 17;
const ENOENT = 2;
const EIO = 5;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
/** Larger than any request. */
const request = Buffer.alloc(LARGEST_WRITE + 65_536);
/** `INIT` flags: requests that are larger than a page, up to `max_pages`. */
const BIG_WRITES = 1 << 5;
const MAX_PAGES = 1 << 22;

/** How long the kernel may keep the attributes of a file: an hour. */
const VALID = Buffer.alloc(8);
VALID.writeBigUInt64LE(3600n);

/** Handlers by opcode; each returns the body of the reply, or an error number. */
const HANDLERS = {
  1: ({ body }) => (nameIn(body) === "disk" ? entry() : ENOENT), // LOOKUP
  3: ({ nodeId }) => attributes(nodeId), // GETATTR
  4: ({ nodeId }) => attributes(nodeId), // SETATTR: times of the file
  14: () => Buffer.alloc(16), // OPEN
  15: ({ body }) => read(body), // READ
  16: ({ body }) => write(body), // WRITE
  17: () => Buffer.alloc(80), // STATFS
  18: () => Buffer.alloc(0), // RELEASE
  20: () => sync(), // FSYNC
  25: () => Buffer.alloc(0), // FLUSH
  26: () => init(), // INIT
  43: () => EOPNOTSUPP, // FALLOCATE: a discarded block
};
/** FORGET, INTERRUPT and BATCH_FORGET expect no reply. */
const SILENT = new Set([2, 36, 42]);

const device = openSync("/dev/fuse", constants.O_RDWR);
const options = "fd=3,rootmode=40000,user_id=0,group_id=0";
const mounted = spawnSync("mount", ["-i", "-t", "fuse", "-o", options, "weft-disk", folder], {
  stdio: ["ignore", "inherit", "inherit", device],
});
if (mounted.status !== 0) process.exit(1);
for (;;) {
  try {
    answer(readSync(device, request));
  } catch (error) {
    // The disk was unmounted.
    if (error.code === "ENODEV") process.exit(0);
    if (error.code !== "EINTR" && error.code !== "ENOENT") throw error;
  }
}

function answer(length) {
  const opcode = request.readUInt32LE(4);
  if (SILENT.has(opcode)) return;
  const nodeId = request.readBigUInt64LE(16);
  const body = request.subarray(40, length);
  const result = HANDLERS[opcode]?.({ nodeId, body }) ?? ENOSYS;
  const [error, reply] = typeof result === "number" ? [result, Buffer.alloc(0)] : [0, result];
  const header = Buffer.alloc(16);
  header.writeUInt32LE(16 + reply.length, 0);
  header.writeInt32LE(-error, 4);
  request.copy(header, 8, 8, 16);
  writeSync(device, Buffer.concat([header, reply]));
}

function init() {
  const reply = Buffer.alloc(64);
  reply.writeUInt32LE(7, 0);
  reply.writeUInt32LE(31, 4);
  reply.writeUInt32LE(LARGEST_WRITE, 8);
  reply.writeUInt32LE(BIG_WRITES | MAX_PAGES, 12);
  reply.writeUInt16LE(16, 16);
  reply.writeUInt16LE(12, 18);
  reply.writeUInt32LE(LARGEST_WRITE, 20);
  reply.writeUInt32LE(1, 24);
  reply.writeUInt16LE(LARGEST_WRITE / 4096, 28);
  return reply;
}

/** `fuse_attr`. */
function attributesOf(nodeId) {
  const isRoot = nodeId === ROOT_ID;
  const reply = Buffer.alloc(88);
  reply.writeBigUInt64LE(nodeId, 0);
  reply.writeBigUInt64LE(isRoot ? 0n : BigInt(size), 8);
  reply.writeBigUInt64LE(isRoot ? 0n : BigInt(size / 512), 16);
  reply.writeUInt32LE(isRoot ? 0o40700 : 0o100600, 60);
  reply.writeUInt32LE(1, 64);
  reply.writeUInt32LE(4096, 80);
  return reply;
}

function attributes(nodeId) {
  return Buffer.concat([VALID, Buffer.alloc(8), attributesOf(nodeId)]);
}

function entry() {
  const id = Buffer.alloc(16);
  id.writeBigUInt64LE(DISK_ID, 0);
  return Buffer.concat([id, VALID, VALID, Buffer.alloc(8), attributesOf(DISK_ID)]);
}

function nameIn(body) {
  return body.toString("utf8", 0, body.indexOf(0));
}

function read(body) {
  const offset = Number(body.readBigUInt64LE(8));
  return content.subarray(offset, Math.min(size, offset + body.readUInt32LE(16)));
}

function write(body) {
  const offset = Number(body.readBigUInt64LE(8));
  const length = body.readUInt32LE(16);
  if (offset + length > size) return EIO;
  const data = body.subarray(40, 40 + length);
  data.copy(content, offset);
  writeSync(log, recordOf(WRITE, offset, data));
  const reply = Buffer.alloc(8);
  reply.writeUInt32LE(length, 0);
  return reply;
}

function sync() {
  writeSync(log, recordOf(SYNC, 0, Buffer.alloc(0)));
  return Buffer.alloc(0);
}
