// The record of a disk, in order: writes, and syncs that it has confirmed.
import { closeSync, copyFileSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";

export const WRITE = 1;
export const SYNC = 2;
const HEAD = 16;
/** A disk writes a sector whole or not at all. */
const SECTOR = 512;

export function recordOf(kind, offset, data) {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(kind, 0);
  head.writeUInt32LE(data.length, 4);
  head.writeBigUInt64LE(BigInt(offset), 8);
  return Buffer.concat([head, data]);
}

/** `end`: the length of the log after the record. */
export function readLog(path) {
  const text = readFileSync(path);
  const records = [];
  for (let at = 0; at + HEAD <= text.length;) {
    const length = text.readUInt32LE(at + 4);
    const end = at + HEAD + length;
    if (end > text.length) break;
    const offset = Number(text.readBigUInt64LE(at + 8));
    records.push({ kind: text.readUInt32LE(at), offset, data: text.subarray(at + HEAD, end), end });
    at = end;
  }
  return records;
}

/** The disk as power cuts leave it. Cuts must come in order. */
export class CutDisk {
  #records;
  #random;
  #synced;
  #nextRecord = 0;
  /** Writes that no sync has confirmed so far. */
  #unsynced = [];

  constructor(records, { path, sizeBytes, random }) {
    this.#records = records;
    this.#random = random;
    this.#synced = path;
    const file = openSync(path, "wx");
    ftruncateSync(file, sizeBytes);
    closeSync(file);
  }

  /**
   * Writes the disk as it is when the power fails after `position` bytes of the log: with everything that was synced, and
   * with none, all, or some sectors of each later write. Returns how many sectors were lost.
   */
  cutTo(path, position) {
    this.#advance(position);
    copyFileSync(this.#synced, path);
    const file = openSync(path, "r+");
    let lost = 0;
    for (const { offset, data } of this.#unsynced) {
      const share = [0, 1, this.#random()][Math.floor(this.#random() * 3)];
      for (let at = 0; at < data.length; at += SECTOR) {
        if (this.#random() < share) writeSync(file, data, at, Math.min(SECTOR, data.length - at), offset + at);
        else lost += 1;
      }
    }
    closeSync(file);
    return lost;
  }

  #advance(position) {
    const file = openSync(this.#synced, "r+");
    for (; this.#nextRecord < this.#records.length; this.#nextRecord += 1) {
      const record = this.#records[this.#nextRecord];
      if (record.end > position) break;
      if (record.kind === WRITE) this.#unsynced.push(record);
      else for (const { offset, data } of this.#unsynced.splice(0)) writeSync(file, data, 0, data.length, offset);
    }
    closeSync(file);
  }
}
