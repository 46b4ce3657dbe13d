import { constants, createReadStream, fstatSync, readSync, writeFileSync, type BigIntStats, type Stats } from "node:fs";
import type { Readable } from "node:stream";
import { OpenDescriptor } from "./open-descriptor.ts";
import { chmod, close, fstat, fsync, open, read, systemError } from "./system-calls.ts";
import { take, type Steps } from "./steps.ts";
import { pathOfDescriptor } from "./walk.ts";

/** First and last byte, inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Space for bytes that a job appends meanwhile; it also reveals the end of the file without an extra call. */
const SPARE_BYTES = 64;

/** A regular file, open for reading, whatever happens to its name. Close it, or stream it. */
export class OpenFile extends OpenDescriptor {
  /** The file's stats when it was opened. */
  readonly stats: Stats;

  constructor(fd: number, stats: Stats, path: string) {
    super(fd, path);
    this.stats = stats;
  }

  /** A path to the open file, valid in this process only and until it is closed. */
  get descriptorPath(): string {
    return pathOfDescriptor(this.fd);
  }

  /** Current size and times: a job may still be writing. */
  stateNow(): BigIntStats {
    return fstatSync(this.fd, { bigint: true });
  }

  /** Closes the file at its end, or when it is destroyed. */
  stream(range?: ByteRange): Readable {
    return createReadStream("", { fd: this.handOver(), autoClose: true, ...(range ?? { start: 0 }) });
  }

  /** The whole content. */
  readAll(): Buffer {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(Math.max(this.stats.size - size, 0) + SPARE_BYTES);
      const count = readSync(this.fd, part, 0, part.length, size);
      parts.push(part.subarray(0, count));
      size += count;
      // A read from a regular file returns all requested bytes, except at its end.
      if (count < part.length) return parts.length === 1 ? part.subarray(0, count) : Buffer.concat(parts, size);
    }
  }

  /** Reads at most `maxBytes` bytes from offset `start`. */
  *read(start: number, maxBytes: number): Steps<Buffer> {
    const { size } = yield* take(fstat(this.fd));
    const buffer = Buffer.alloc(Math.max(0, Math.min(size - start, maxBytes)));
    return buffer.subarray(0, yield* take(read(this.fd, buffer, start)));
  }

  /** Writes text to a file that was created. */
  write(text: string): void {
    writeFileSync(this.fd, text);
  }

  *setMode(mode: number): Steps<void> {
    yield* take(chmod(this.descriptorPath, mode));
  }

  *sync(): Steps<void> {
    yield* take(fsync(this.fd));
  }
}

/** Opens a file at a path that only the server can change; follows links. Rejects with the system's error. */
export function* openTrustedFile(path: string): Steps<OpenFile> {
  const fd = yield* take(open(path, constants.O_RDONLY | constants.O_NONBLOCK));
  const stats = yield* take(fstat(fd));
  if (stats.isFile()) return new OpenFile(fd, stats, path);
  yield* take(close(fd));
  throw systemError(stats.isDirectory() ? "EISDIR" : "ENOENT", `${path} is not a regular file`);
}
