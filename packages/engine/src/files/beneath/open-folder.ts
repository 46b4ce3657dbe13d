import { isUtf8 } from "node:buffer";
import { constants, type Dirent, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { undefinedIfMissing } from "./undefined-if-missing.ts";
import { safeName } from "@weft/cwl/model/safe-name.ts";
import { OpenDescriptor } from "./open-descriptor.ts";
import { OpenFile } from "./open-file.ts";
import {
  chmod,
  close,
  codeOf,
  copy,
  entries,
  fileSystem,
  fstat,
  fsync,
  link,
  lstat,
  lstatIfAny,
  mkdir,
  open,
  opendir,
  rawNames,
  readlink,
  rename,
  rmdir,
  symlink,
  systemError,
  unlink,
} from "./system-calls.ts";
import { runLater, runNow, take, type Steps } from "./steps.ts";
import { baseOf, CREATE, FOLDER, pathOfDescriptor, READ } from "./walk.ts";

/**
 * An open folder. Its operations act on entries of exactly this folder, even if it is renamed: each takes one name,
 * follows no link, and replaces an entry only if its comment says so. Close the folder after use.
 */
export class OpenFolder extends OpenDescriptor {
  /** The path of an entry for system calls, valid while the folder is open. */
  at(name: string): string {
    return `${baseOf(this.fd, this.path)}/${safeName(name)}`;
  }

  /** The path of the folder itself for system calls. */
  get base(): string {
    return baseOf(this.fd, this.path);
  }

  /** Opens the same folder again; close it separately. */
  *again(): Steps<OpenFolder> {
    return new OpenFolder(
      yield* take(open(pathOfDescriptor(this.fd), constants.O_RDONLY | constants.O_DIRECTORY)),
      this.path,
    );
  }

  *entries(): Steps<Dirent[]> {
    return yield* take(entries(this.base));
  }

  /** The bytes of names that are not UTF-8, which cannot be passed as strings. */
  *foreignNames(): Steps<readonly Buffer[]> {
    return (yield* take(rawNames(this.base))).filter((name) => !isUtf8(name));
  }

  /** Reads the entries in batches of `bufferSize`, so that a large folder is never in memory as a whole. */
  *stream(bufferSize: number): Steps<AsyncIterable<Dirent>> {
    return yield* take(opendir(this.base, bufferSize));
  }

  /** The number that identifies the type of its file system. */
  *fileSystem(): Steps<number> {
    return yield* take(fileSystem(this.base));
  }

  /** The entry itself, even if it is a link; undefined if the entry does not exist. */
  *lstat(name: string): Steps<Stats | undefined> {
    try {
      return yield* take(lstatIfAny(this.at(name)));
    } catch (error) {
      return undefinedIfMissing(error as NodeJS.ErrnoException); // the error is from a system call
    }
  }

  /** Opens a folder in it; `makes`: creates a missing one. Rejects with ENOTDIR for anything else, including a link. */
  *folder(name: string, { makes = false } = {}): Steps<OpenFolder> {
    if (makes) yield* this.make(name);
    const fd = yield* take(open(this.at(name), FOLDER));
    return new OpenFolder(fd, join(this.path, name));
  }

  /** Creates a folder in it. False if any entry already uses the name. */
  *make(name: string): Steps<boolean> {
    try {
      yield* take(mkdir(this.at(name)));
      return true;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      return false;
    }
  }

  *setMode(mode: number): Steps<void> {
    yield* take(chmod(this.base, mode));
  }

  /** Opens a regular file in it. */
  *file(name: string): Steps<OpenFile> {
    const fd = yield* take(open(this.at(name), READ));
    const stats = yield* take(fstat(fd));
    const path = join(this.path, name);
    if (stats.isFile()) return new OpenFile(fd, stats, path);
    yield* take(close(fd));
    throw new Error(`${path} is not a regular file`);
  }

  /** Creates an empty file, open for writing. Rejects with EEXIST if the name is in use. */
  *create(name: string, mode?: number): Steps<OpenFile> {
    const fd = yield* take(open(this.at(name), CREATE, mode));
    return new OpenFile(fd, yield* take(fstat(fd)), join(this.path, name));
  }

  /** Copies an open file to an unused name. `makesWritable`: set only if nothing can replace the copy meanwhile. */
  *copy(file: OpenFile, name: string, { makesWritable = false } = {}): Steps<void> {
    yield* take(copy(file.descriptorPath, this.at(name)));
    const mode = (file.stats.mode & 0o777) | OWNER_MAY_CHANGE;
    if (makesWritable && mode !== (file.stats.mode & 0o7777)) yield* take(chmod(this.at(name), mode));
  }

  /**
   * Creates a hard link to a file: `source` is the path of an entry of an open folder, where `file` was opened. False
   * if another file is there by now, or if the file system cannot link. Rejects with EEXIST.
   */
  *link(source: string, file: OpenFile, name: string): Steps<boolean> {
    const target = this.at(name);
    try {
      yield* take(link(source, target));
    } catch (error) {
      if (NO_LINK.has(codeOf(error))) return false;
      throw error;
    }
    const made = yield* take(lstat(target));
    if (made.ino === file.stats.ino && made.dev === file.stats.dev) return true;
    yield* take(unlink(target));
    return false;
  }

  /** The target of a symbolic link in it. */
  *readlink(name: string): Steps<string> {
    return yield* take(readlink(this.at(name)));
  }

  /** Creates a symbolic link in it. Rejects with EEXIST. */
  *symlink(target: string, name: string): Steps<void> {
    yield* take(symlink(target, this.at(name)));
  }

  /** Removes a file or a link, if there is one. Rejects with EISDIR or EPERM for a folder. */
  *removeFile(name: string): Steps<void> {
    try {
      yield* take(unlink(this.at(name)));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }

  /**
   * Removes an entry of any kind, if there is one, including the whole content of a folder, whatever its permissions.
   * Removes as much as possible, then rejects with the first failure. Rejects for a folder that is nested deeper than any
   * path can be.
   */
  *removeAll(name: string, depth = 0): Steps<void> {
    try {
      return yield* this.removeFile(name);
    } catch (error) {
      const isFolder = codeOf(error) === "EISDIR" || (yield* this.lstat(name))?.isDirectory() === true;
      if (!isFolder) throw error;
    }
    if (depth > MAX_LEVELS) throw systemError("ENAMETOOLONG", `${this.path} is nested too deeply to remove`);
    let failure: unknown;
    try {
      using inner = yield* this.folder(name);
      failure = yield* removeContent(inner, depth + 1);
    } catch (error) {
      failure = error;
    }
    try {
      yield* this.removeEmpty(name);
    } catch (error) {
      // Reports the failure for the remaining files, which is more specific.
      throw failure ?? error;
    }
  }

  /** Removes an empty folder. */
  *removeEmpty(name: string): Steps<void> {
    yield* take(rmdir(this.at(name)));
  }

  /** Renames an entry within this folder; replaces a file of the new name. */
  *rename(from: string, to: string): Steps<void> {
    yield* take(rename(this.at(from), this.at(to)));
  }

  /** Makes its names survive power loss. */
  *sync(): Steps<void> {
    // An O_PATH descriptor cannot be synced.
    const fd = yield* take(open(pathOfDescriptor(this.fd), constants.O_RDONLY | constants.O_DIRECTORY));
    try {
      yield* take(fsync(fd));
    } finally {
      yield* take(close(fd));
    }
  }
}

/** Returns the first failure. */
function* removeContent(folder: OpenFolder, depth: number): Steps<unknown> {
  let failure: unknown;
  try {
    yield* folder.setMode(0o700);
  } catch (error) {
    // Only the owner may change the permissions, but other accounts can remove some of the content.
    if (codeOf(error) !== "EPERM") throw error;
  }
  for (const { name } of yield* folder.entries()) {
    try {
      yield* folder.removeAll(name, depth);
    } catch (error) {
      failure ??= error;
    }
  }
  return failure;
}

/** The maximum number of levels, because a walk holds one descriptor per level. */
export const MAX_LEVELS = 2000;
const OWNER_MAY_CHANGE = 0o600;
const NO_LINK = new Set(["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "ENOENT", "ELOOP"]);

/** Opens a folder at a path that only the server can change; follows links. */
export function* openTrustedFolder(path: string): Steps<OpenFolder> {
  return new OpenFolder(yield* take(open(path, constants.O_RDONLY | constants.O_DIRECTORY)), path);
}

/** Removes the entry at a path, as `removeAll` does; only the server may write to its parent folder. */
export async function removeBelowTrusted(path: string): Promise<void> {
  // A disk of the server answers sooner than a thread could.
  if (runNow(take(lstatIfAny(path))) === undefined) return;
  using around = await runLater(openTrustedFolder(dirname(path)));
  await runLater(around.removeAll(basename(path)));
}
