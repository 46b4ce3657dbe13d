import { closeSync, constants, createReadStream, fstatSync, readFileSync, writeFileSync } from "node:fs";
import type { BigIntStats, Stats } from "node:fs";
import type { Readable } from "node:stream";
import { chmod, close, fstat, fsync, open, read, systemError } from "./system-calls.ts";
import { take } from "./steps.ts";
import type { Steps } from "./steps.ts";
import { pathOfDescriptor } from "./walk.ts";

/** First and last byte, inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A regular file that is open for reading. Whatever happens to its name, these are its bytes. Close it, or stream it. */
export class OpenFile implements Disposable {
  readonly fd: number;
  /** When it was opened. */
  readonly stats: Stats;
  /** Where it was found, without links. Only for messages and as a key: by now something else may lie there. */
  readonly path: string;
  #isOpen = true;

  constructor(fd: number, stats: Stats, path: string) {
    this.fd = fd;
    this.stats = stats;
    this.path = path;
  }

  /** Names the open file for functions that take a path, in this process only and until it is closed. */
  get descriptorPath(): string {
    return pathOfDescriptor(this.fd);
  }

  /** Size and times as they are by now: a job may still be writing. */
  stateNow(): BigIntStats {
    return fstatSync(this.fd, { bigint: true });
  }

  /** Closes the file at its end, or when it is destroyed. */
  stream(range?: ByteRange): Readable {
    this.#isOpen = false;
    return createReadStream("", { fd: this.fd, autoClose: true, ...(range ?? { start: 0 }) });
  }

  /** All of it, from its beginning. */
  readAll(): Buffer {
    return readFileSync(this.descriptorPath);
  }

  /** At most so many bytes from a place on. */
  *read(start: number, maxBytes: number): Steps<Buffer> {
    const { size } = yield* take(fstat(this.fd));
    const buffer = Buffer.alloc(Math.max(0, Math.min(size - start, maxBytes)));
    return buffer.subarray(0, yield* take(read(this.fd, buffer, start)));
  }

  /** Of a file that was created. */
  write(text: string): void {
    writeFileSync(this.fd, text);
  }

  *setMode(mode: number): Steps<void> {
    yield* take(chmod(this.descriptorPath, mode));
  }

  *sync(): Steps<void> {
    yield* take(fsync(this.fd));
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A file at a path of which only the server writes any part; links are followed. Rejects as the system does. */
export function* openTrustedFile(path: string): Steps<OpenFile> {
  const fd = yield* take(open(path, constants.O_RDONLY | constants.O_NONBLOCK));
  const stats = yield* take(fstat(fd));
  if (stats.isFile()) return new OpenFile(fd, stats, path);
  yield* take(close(fd));
  throw systemError(stats.isDirectory() ? "EISDIR" : "ENOENT", `${path} is not a regular file`);
}
