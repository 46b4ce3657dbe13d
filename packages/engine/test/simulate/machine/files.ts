import { constants } from "node:fs";
import { systemError, type Inode } from "./inode.ts";
import type { Spot, Volume } from "./volume.ts";

interface Descriptor {
  readonly inode: Inode;
  readonly path: string;
  position: number;
  readonly appends: boolean;
}

const OWN_DESCRIPTORS = /^\/proc\/self\/fd\/(\d+)(?:\/(.*))?$/s;
const FIRST_FD = 1000;
const LETTERS: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  "r+": constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
};

/** A file of /proc; undefined if there is none. */
export type ProcFile = (path: string) => string | undefined;

/** The system calls of one process for files: descriptors, paths below descriptors, and /proc. */
export class Files {
  readonly #volume: Volume;
  readonly #proc: ProcFile;
  readonly #open = new Map<number, Descriptor>();
  #lastFd = FIRST_FD;

  constructor(volume: Volume, proc: ProcFile) {
    this.#volume = volume;
    this.#proc = proc;
  }

  /** Paths of everything that is open. */
  get openPaths(): readonly string[] {
    return [...this.#open.values()].map(({ path }) => path);
  }

  open(path: string, flagsOrLetters: number | string = "r", mode = 0o666): number {
    const flags = typeof flagsOrLetters === "string" ? (LETTERS[flagsOrLetters] ?? 0) : flagsOrLetters;
    const own = this.#ownDescriptor(path);
    const inode = own === undefined ? this.#openNamed(path, flags, mode) : own.inode;
    if ((flags & constants.O_TRUNC) !== 0 && inode.size > 0) this.#volume.write(inode, Buffer.alloc(0));
    const fd = ++this.#lastFd;
    const shown = own?.path ?? this.#shown(path);
    this.#open.set(fd, { inode, path: shown, position: 0, appends: (flags & constants.O_APPEND) !== 0 });
    return fd;
  }

  close(fd: number): void {
    if (!this.#open.delete(fd)) throw systemError("EBADF", "close", String(fd));
  }

  opened(fd: number): Descriptor {
    const descriptor = this.#open.get(fd);
    if (descriptor === undefined) throw systemError("EBADF", "fstat", String(fd));
    return descriptor;
  }

  /** The entry of a path; throws ENOENT if it has none. */
  need(path: string, follows: boolean): Spot & { readonly inode: Inode } {
    const spot = this.spot(path, follows);
    const { inode } = spot;
    if (inode === undefined) throw systemError("ENOENT", "stat", path);
    return { ...spot, inode };
  }

  spot(path: string, follows = false): Spot {
    const match = OWN_DESCRIPTORS.exec(path);
    if (match === null) return this.#volume.find(path, { follows });
    const { inode } = this.opened(Number(match[1]));
    if (match[2] === undefined || match[2] === "") return { folder: inode.parent ?? inode, name: "", inode };
    if (inode.kind !== "folder") throw systemError("ENOTDIR", "open", path);
    return this.#volume.find(match[2], { follows, from: inode });
  }

  readlink(path: string): string {
    const own = this.#ownDescriptor(path);
    if (own !== undefined) return own.path;
    const { inode } = this.need(path, false);
    if (inode.kind !== "link") throw systemError("EINVAL", "readlink", path);
    return inode.target;
  }

  /** The content of a file, by path or descriptor. */
  content(path: string | number): Buffer {
    if (typeof path === "number") return this.opened(path).inode.data;
    if (path.startsWith("/proc/") && !OWN_DESCRIPTORS.test(path)) {
      const text = this.#proc(path);
      if (text === undefined) throw systemError("ENOENT", "open", path);
      return Buffer.from(text);
    }
    const { inode } = this.need(path, true);
    if (inode.kind === "folder") throw systemError("EISDIR", "read", path);
    return inode.data;
  }

  read(fd: number, buffer: Buffer, { offset, length, position }: ReadRange): number {
    const { data } = this.opened(fd).inode;
    return data.copy(buffer, offset, position, Math.min(data.length, position + length));
  }

  write(fd: number, bytes: Buffer): number {
    const descriptor = this.opened(fd);
    const { inode } = descriptor;
    const at = descriptor.appends ? inode.data.length : descriptor.position;
    this.#volume.write(
      inode,
      Buffer.concat([inode.data.subarray(0, at), bytes, inode.data.subarray(at + bytes.length)]),
    );
    descriptor.position = at + bytes.length;
    return bytes.length;
  }

  /** Only to fewer bytes. */
  truncate(fd: number, length: number): void {
    const { inode } = this.opened(fd);
    if (length < inode.size) this.#volume.write(inode, inode.data.subarray(0, length));
  }

  #openNamed(path: string, flags: number, mode: number): Inode {
    const follows = (flags & (constants.O_NOFOLLOW | constants.O_EXCL)) === 0;
    const spot = this.spot(path, follows);
    const { inode } = spot;
    if (inode === undefined) {
      if ((flags & constants.O_CREAT) === 0) throw systemError("ENOENT", "open", path);
      const made = this.#volume.make("file", spot);
      made.mode = mode;
      return made;
    }
    if ((flags & constants.O_CREAT) !== 0 && (flags & constants.O_EXCL) !== 0)
      throw systemError("EEXIST", "open", path);
    if ((flags & constants.O_DIRECTORY) !== 0 && inode.kind !== "folder") throw systemError("ENOTDIR", "open", path);
    if (inode.kind === "link") throw systemError("ELOOP", "open", path);
    const writes = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
    if (writes && inode.kind === "folder") throw systemError("EISDIR", "open", path);
    return inode;
  }

  #ownDescriptor(path: string): Descriptor | undefined {
    const match = OWN_DESCRIPTORS.exec(path);
    return match === null || match[2] !== undefined ? undefined : this.opened(Number(match[1]));
  }

  /** The path without a descriptor in it. */
  #shown(path: string): string {
    const match = OWN_DESCRIPTORS.exec(path);
    return match === null ? path : `${this.opened(Number(match[1])).path}/${match[2] ?? ""}`;
  }
}

export interface ReadRange {
  readonly offset: number;
  readonly length: number;
  readonly position: number;
}
