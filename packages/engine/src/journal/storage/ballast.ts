import { randomFillSync } from "node:crypto";
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const MIB = 1024 * 1024;
const BALLAST_BYTES = 4 * MIB;
/** Size of one slice: jobs that write to the same disk take any free space, so release no more than is used immediately. */
const SLICE_BYTES = MIB / 4;
/** Maximum share of the disk: the ballast must not fill a small disk. */
const LARGEST_SHARE = 1 / 8;
/** A disk with less free space counts as full. */
const ROOM_BYTES = MIB;

/**
 * Space on the log's disk reserved for recording the ends of runs and jobs. On a full disk, not even a row can be
 * changed in place; truncating this file frees space. The bytes are random: some file systems compress zeros away.
 */
export class Ballast {
  readonly #path: string;
  /** The size at the start; a smaller file has been partly released. */
  readonly #wholeBytes: number;

  constructor(path: string) {
    this.#path = path;
    const { blocks, bsize } = statfsSync(dirname(path));
    const share = Math.floor((blocks * bsize * LARGEST_SHARE) / SLICE_BYTES) * SLICE_BYTES;
    this.#grow(Math.min(BALLAST_BYTES, share));
    this.#wholeBytes = this.#sizeBytes();
  }

  /** Releases a slice; false if none is left. */
  giveUp(): boolean {
    const size = this.#sizeBytes();
    if (size === 0) return false;
    return succeeds(() => {
      const file = openSync(this.#path, "r+");
      ftruncateSync(file, Math.max(0, size - SLICE_BYTES));
      closeSync(file);
    });
  }

  /** Restores the released part; false if the disk still lacks the space for it and for the waiting events. */
  restore(): boolean {
    return this.#grow(this.#wholeBytes) && this.#freeBytes() >= ROOM_BYTES;
  }

  /** All or nothing: a ballast that grows bit by bit would keep a full disk full. */
  #grow(toBytes: number): boolean {
    const size = this.#sizeBytes();
    if (size >= toBytes) return true;
    if (this.#freeBytes() < 2 * (toBytes - size)) return false;
    return succeeds(() => append(this.#path, size, toBytes));
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    return bavail * bsize;
  }

  #sizeBytes(): number {
    return existsSync(this.#path) ? statSync(this.#path).size : 0;
  }
}

function append(path: string, fromBytes: number, toBytes: number): void {
  const file = openSync(path, existsSync(path) ? "r+" : "w", 0o600);
  try {
    const slice = randomFillSync(Buffer.alloc(SLICE_BYTES));
    for (let at = fromBytes; at < toBytes; at += slice.length) writeSync(file, slice, 0, slice.length, at);
    fsyncSync(file);
  } catch (error) {
    ftruncateSync(file, fromBytes);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Without ballast, the log works except on a full disk. */
function succeeds(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
