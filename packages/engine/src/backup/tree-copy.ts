import type { Stats } from "node:fs";
import { link, lstat, mkdir, readdir, readlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { absent } from "../files/absent.ts";
import { isBelow } from "../files/is-below.ts";
import type { BackupEntry } from "./backup-entry.ts";
import { copyHashed } from "./copy-hashed.ts";

export interface TreeCopyOptions {
  readonly from: string;
  readonly to: string;
  readonly write: (entry: BackupEntry) => Promise<void>;
}

/**
 * Copies files and folders with all that is in them, and tells each. Of a file with several names (published outputs are
 * other names of what jobs wrote) the content is copied once.
 */
export class TreeCopy {
  readonly #options: TreeCopyOptions;
  /** Of files with several names: device and inode → the path that was copied. */
  readonly #copied = new Map<string, string>();

  constructor(options: TreeCopyOptions) {
    this.#options = options;
  }

  /** `path` is relative to both folders. */
  async add(path: string): Promise<void> {
    const { from, to, write } = this.#options;
    const found = await lstat(join(from, path)).catch(absent);
    // Somebody has pruned it since it was listed.
    if (found === undefined) return;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    if (found.isFile()) return this.#addFile(path, found);
    if (found.isSymbolicLink()) return this.#addLink(path);
    // Sockets and pipes hold nothing.
    if (!found.isDirectory()) return;
    await mkdir(join(to, path), { mode: 0o700 });
    await write({ kind: "folder", path });
    for (const name of (await readdir(join(from, path)).catch(absent)) ?? []) await this.add(join(path, name));
  }

  async #addFile(path: string, found: Stats): Promise<void> {
    const { from, to, write } = this.#options;
    const key = `${found.dev}:${found.ino}`;
    const as = this.#copied.get(key);
    if (as !== undefined) {
      await link(join(to, as), join(to, path));
      return write({ kind: "same", path, as });
    }
    const mode = found.mode & 0o777;
    const facts = await copyHashed(join(from, path), join(to, path), mode);
    if (found.nlink > 1) this.#copied.set(key, path);
    return write({ kind: "file", path, mode, ...facts });
  }

  async #addLink(path: string): Promise<void> {
    const { from, write } = this.#options;
    const target = await readlink(join(from, path));
    const within = isBelow(target, from);
    return write({ kind: "link", path, target: within ? relative(from, target) : target, within });
  }
}
