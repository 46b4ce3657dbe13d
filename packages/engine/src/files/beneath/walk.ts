import { constants } from "node:fs";
import { join } from "node:path";
import { close, codeOf, open, readlink } from "./system-calls.ts";
import { take, type Steps } from "./steps.ts";

/**
 * Names the child of an open folder, and provides the flags that keep the kernel from following links. Node has no
 * `openat`. On Linux `/proc/self/fd/N/name` does the same: the kernel starts at the descriptor. On macOS
 * O_NOFOLLOW_ANY refuses a link anywhere in a path, so that the path itself can be used.
 */
interface Platform {
  readonly base: (fd: number, path: string) => string;
  readonly noFollow: number;
  /** Flags that suffice to look into a folder. */
  readonly traverse: number;
  /** The path of a descriptor; undefined if the kernel does not report it. */
  readonly ownPath: ((fd: number) => string) | undefined;
}

const O_PATH = 0o10000000;
const O_NOFOLLOW_ANY = 0x20000000;

const LINUX: Platform = {
  base: (fd) => `/proc/self/fd/${fd}`,
  noFollow: constants.O_NOFOLLOW,
  traverse: O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY,
  ownPath: (fd) => `/proc/self/fd/${fd}`,
};

const MACOS: Platform = {
  base: (_fd, path) => path,
  noFollow: O_NOFOLLOW_ANY,
  traverse: constants.O_RDONLY | O_NOFOLLOW_ANY | constants.O_DIRECTORY,
  ownPath: undefined,
};

const PLATFORM = platform();

function platform(): Platform {
  if (process.platform === "linux") return LINUX;
  if (process.platform === "darwin") return MACOS;
  throw new Error(`Weft can read files safely only on Linux and macOS, not on ${process.platform}`);
}

/** Opens a regular file for reading; a pipe or device in its place does not block the server. */
export const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | PLATFORM.noFollow;
/** Opens a folder to read it and to reach its entries. */
export const FOLDER = PLATFORM.traverse;
/** Creates a file; fails if a link or any other entry has that name. */
export const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | PLATFORM.noFollow;

/**
 * The last step of a walk, in the folder that it has reached. `path`: for system calls, valid only during the visit;
 * `realPath`: its real path.
 */
export type Visit<Value> = (path: string, realPath: string) => Steps<Value | Met>;

/** A link, or a step upwards, that ends the walk: the caller decides where to continue. */
export class Met {
  readonly target: string;

  constructor(target: string) {
    this.target = target;
  }
}

export type Walked<Value> =
  | { readonly kind: "done"; readonly value: Value }
  /** `index`: position of the link among the names; `target`: its target. */
  | { readonly kind: "link"; readonly index: number; readonly target: string };

/**
 * Walks from a trusted folder down a list of names, holds a descriptor of each folder on the way, and visits the last
 * name. Follows no link: the first one ends the walk. Rejects with the system's error if a name is missing.
 */
export function* walk<Value>(root: string, names: readonly string[], visit: Visit<Value>): Steps<Walked<Value>> {
  let fd: number | undefined;
  let at = root;
  let path = root;
  try {
    for (const [index, name] of names.slice(0, -1).entries()) {
      const inner = yield* openUnlessLink(`${at}/${name}`, PLATFORM.traverse);
      if (inner instanceof Met) return { kind: "link", index, target: inner.target };
      const outer = fd;
      fd = inner;
      if (outer !== undefined) yield* take(close(outer));
      path = `${path}/${name}`;
      at = PLATFORM.base(fd, path);
    }
    const last = names.at(-1);
    const value = yield* visit(last === undefined ? at : `${at}/${last}`, last === undefined ? path : join(path, last));
    if (value instanceof Met) return { kind: "link", index: names.length - 1, target: value.target };
    return { kind: "done", value };
  } finally {
    if (fd !== undefined) yield* take(close(fd));
  }
}

/** Opens a name; for a link, returns its target. */
export function* openUnlessLink(path: string, flags: number): Steps<number | Met> {
  try {
    return yield* take(open(path, flags | PLATFORM.noFollow));
  } catch (error) {
    // The error for a link depends on the system and the flags.
    if (!LINK_ERRORS.has(codeOf(error))) throw error;
    const target = yield* targetOf(path);
    if (target === undefined) throw error;
    return target;
  }
}

const LINK_ERRORS = new Set(["ELOOP", "ENOTDIR", "EMLINK"]);

/** The target of a link; undefined if the path is not a link. */
export function* targetOf(path: string): Steps<Met | undefined> {
  try {
    return new Met(yield* take(readlink(path)));
  } catch (error) {
    if (codeOf(error) === "EINVAL") return undefined;
    throw error;
  }
}

/** A path to an open descriptor: opening it yields exactly the same file. */
export function pathOfDescriptor(fd: number): string {
  return process.platform === "linux" ? `/proc/self/fd/${fd}` : `/dev/fd/${fd}`;
}

/** The base of paths of entries of an open folder. */
export function baseOf(fd: number, path: string): string {
  return PLATFORM.base(fd, path);
}

/** The current path of an open descriptor; undefined if the system does not report it. */
export function* ownPathOf(fd: number): Steps<string | undefined> {
  const { ownPath } = PLATFORM;
  return ownPath === undefined ? undefined : yield* take(readlink(ownPath(fd)));
}
