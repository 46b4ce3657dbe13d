import type { Stats } from "node:fs";
import { link, mkdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { openTrustedFolder } from "../files/beneath/open-folder.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { runLater } from "../files/beneath/steps.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { isBelow } from "../files/is-below.ts";
import type { BackupEntry } from "./backup-entry.ts";
import { copyHashed } from "./copy-hashed.ts";

export interface TreeCopyOptions {
  readonly from: string;
  readonly to: string;
  readonly write: (entry: BackupEntry) => Promise<void>;
}

/**
 * Copies folders recursively and reports each entry. Copies the content of a file with several names only once
 * (published outputs are hard links to job outputs).
 */
export class TreeCopy {
  readonly #options: TreeCopyOptions;
  /** The paths of copied files by device and inode, for hard links. */
  readonly #copied = new Map<string, string>();

  constructor(options: TreeCopyOptions) {
    this.#options = options;
  }

  /** `path` is relative to both folders. */
  async add(path: string): Promise<void> {
    const { from, to } = this.#options;
    const around = await runLater(openTrustedFolder(dirname(join(from, path)))).catch(undefinedIfMissing);
    // Pruned since it was listed.
    if (around === undefined) return;
    using folder = around;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await this.#addEntry(folder, path);
  }

  async #addEntry(folder: OpenFolder, path: string): Promise<void> {
    const found = await runLater(folder.lstat(basename(path)));
    if (found?.isFile() === true) return this.#addFile(folder, path, found);
    if (found?.isSymbolicLink() === true) return this.#addLink(folder, path);
    // Sockets and pipes have no content.
    if (found?.isDirectory() === true) await this.#addFolder(folder, path);
  }

  async #addFolder(around: OpenFolder, path: string): Promise<void> {
    const { to, write } = this.#options;
    const opened = await runLater(around.folder(basename(path))).catch(undefinedIfMissing);
    if (opened === undefined) return;
    using folder = opened;
    await mkdir(join(to, path), { mode: 0o700 });
    await write({ kind: "folder", path });
    const entries = (await runLater(folder.entries()).catch(undefinedIfMissing)) ?? [];
    for (const { name } of entries) await this.#addEntry(folder, join(path, name));
  }

  async #addFile(folder: OpenFolder, path: string, found: Stats): Promise<void> {
    const { to, write } = this.#options;
    const key = `${found.dev}:${found.ino}`;
    const as = this.#copied.get(key);
    if (as !== undefined) {
      await link(join(to, as), join(to, path));
      return write({ kind: "same", path, as });
    }
    const mode = found.mode & 0o777;
    const opened = await runLater(folder.file(basename(path))).catch(undefinedIfMissing);
    // A job that has just ended clears its folder.
    if (opened === undefined) return;
    using file = opened;
    const facts = await copyHashed(file.descriptorPath, join(to, path), mode);
    if (found.nlink > 1) this.#copied.set(key, path);
    return write({ kind: "file", path, mode, ...facts });
  }

  async #addLink(folder: OpenFolder, path: string): Promise<void> {
    const { from, write } = this.#options;
    const target = await runLater(folder.readlink(basename(path)));
    const within = isBelow(target, from);
    return write({ kind: "link", path, target: within ? relative(from, target) : target, within });
  }
}
