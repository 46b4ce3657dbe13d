import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./system-calls.ts";

/** A folder that changed within this time may change again within the same tick of the disk's clock. */
const SETTLED_MS = 50;

interface Listed {
  readonly mtimeMs: number;
  readonly files: ReadonlySet<string>;
  readonly folders: readonly string[];
}

/**
 * The server's own files: its log, tokens and secrets. A hard link makes such a file appear in another folder, where only
 * its inode, not its path, distinguishes it from a harmless one. Rereads every folder that has changed.
 */
export class ClosedFiles {
  readonly #root: string;
  readonly #open: ReadonlySet<string>;
  readonly #listed = new Map<string, Listed>();

  /** `open`: absolute paths of folders below `root` that contain users' files. */
  constructor(root: string, open: readonly string[]) {
    this.#root = root;
    this.#open = new Set(open);
  }

  /** True if a file with several hard links is one of the server's own. */
  holds(file: Stats): boolean {
    return file.nlink > 1 && this.#isIn(this.#root, keyOf(file));
  }

  #isIn(folder: string, key: string): boolean {
    const listed = this.#list(folder);
    return listed.files.has(key) || listed.folders.some((inner) => this.#isIn(inner, key));
  }

  #list(folder: string): Listed {
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    const known = this.#listed.get(folder);
    if (known !== undefined && known.mtimeMs === mtimeMs) return known;
    const listed = this.#read(folder, mtimeMs);
    if (mtimeMs < Date.now() - SETTLED_MS) this.#listed.set(folder, listed);
    else this.#listed.delete(folder);
    return listed;
  }

  #read(folder: string, mtimeMs: number): Listed {
    const files = new Set<string>();
    const folders: string[] = [];
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found?.isFile() === true) files.add(keyOf(found));
      else if (found?.isDirectory() === true && !this.#open.has(path)) folders.push(path);
    }
    return { mtimeMs, files, folders };
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function keyOf({ dev, ino }: Pick<Stats, "dev" | "ino">): string {
  return `${dev} ${ino}`;
}
