export type Kind = "file" | "folder" | "link";

/** A file, folder or link of the simulated disk, with the state that would survive a loss of power. */
export class Inode {
  readonly kind: Kind;
  readonly ino: number;
  data: Buffer = EMPTY;
  /** The bytes of a file at its last sync. */
  synced: Buffer = EMPTY;
  readonly entries = new Map<string, Inode>();
  /** The names in a folder that are certainly on disk. */
  readonly durable = new Map<string, Inode>();
  target = "";
  parent: Inode | undefined;
  nlink = 1;
  mode = 0o700;
  mtimeMs: number;
  ctimeMs: number;

  constructor(kind: Kind, ino: number, nowMs: number) {
    this.kind = kind;
    this.ino = ino;
    this.mtimeMs = nowMs;
    this.ctimeMs = nowMs;
  }

  get size(): number {
    return this.kind === "file" ? this.data.length : this.target.length;
  }
}

const EMPTY = Buffer.alloc(0);

export function systemError(code: string, call: string, path: string): NodeJS.ErrnoException {
  // The stacks of these errors are never read, and take longer than the calls.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: ${call} '${path}'`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, syscall: call, path });
}

const KIND_BITS: Readonly<Record<Kind, number>> = { file: 0o100000, folder: 0o040000, link: 0o120000 };

/** The fields of `fs.Stats`. */
export function statsOf(inode: Inode) {
  const { kind, ino, size, nlink, mtimeMs, ctimeMs, mode } = inode;
  return {
    ...{ dev: 1, ino, size, nlink, mtimeMs, ctimeMs, mode: mode | KIND_BITS[kind], uid: 0, gid: 0 },
    ...kindMethods(kind),
  };
}

/** The fields of `fs.BigIntStats`. */
export function bigStatsOf(inode: Inode) {
  const { kind, ino, size, nlink, mtimeMs, ctimeMs } = inode;
  const ns = (ms: number) => BigInt(Math.round(ms * 1e6));
  return {
    ...{ dev: 1n, ino: BigInt(ino), size: BigInt(size), nlink: BigInt(nlink) },
    ...{ mtimeNs: ns(mtimeMs), ctimeNs: ns(ctimeMs) },
    ...{ mtimeMs: BigInt(Math.floor(mtimeMs)), ctimeMs: BigInt(Math.floor(ctimeMs)) },
    ...kindMethods(kind),
  };
}

export function kindMethods(kind: Kind) {
  return {
    isFile: () => kind === "file",
    isDirectory: () => kind === "folder",
    isSymbolicLink: () => kind === "link",
    isFIFO: () => false,
    isSocket: () => false,
    isBlockDevice: () => false,
    isCharacterDevice: () => false,
  };
}
