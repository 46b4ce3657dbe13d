import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileAccess, FileStat } from "@weft/cwl/files/file-access.ts";
import { Gate } from "../async/gate.ts";
import { giveWay } from "../async/give-way.ts";
import type { OpenFolder } from "./beneath/open-folder.ts";
import type { Reach } from "./beneath/reach.ts";
import { runLater, runNow, type Steps } from "./beneath/steps.ts";
import { toFileStat } from "./disk-files.ts";
import { isLocalDisk } from "./network-disk.ts";

export interface FoundPath {
  readonly stat: FileStat;
  /** The path with all links resolved. */
  readonly realPath: string;
}

export interface LookupsOptions {
  readonly reach: Pick<Reach, "covers" | "openFolder" | "stat" | "realPath">;
  /** Runs system calls on a disk that may be slow; default: in threads. */
  readonly run?: <Result>(steps: Steps<Result>) => Promise<Result>;
}

interface KeptFolder {
  readonly folder: OpenFolder;
  readonly isLocal: boolean;
}

/** The maximum number of open folders; beyond it, the least recently used folder is closed. */
const MAX_FOLDERS = 64;

/**
 * Looks up the paths of one request. Walking to a path takes two system calls per folder, so a request with many Files
 * must not walk to each of them: this class remembers every result and keeps the folders of recent paths open. A new
 * path in an open folder takes one system call, which blocks if the folder is on a local disk: it takes microseconds
 * there, a tenth of the cost of using a thread. Results are valid only while the request is checked.
 */
export class Lookups implements Disposable {
  readonly #reach: LookupsOptions["reach"];
  readonly #run: NonNullable<LookupsOptions["run"]>;
  readonly #found = new Map<string, Promise<FoundPath | undefined>>();
  /**
   * Open folders in the order of their last use; undefined for a folder through which each path needs a complete walk.
   */
  readonly #folders = new Map<string, KeptFolder | undefined>();
  /** One lookup at a time, so that no lookup loses its folder to another. */
  readonly #gate = new Gate(1);

  constructor({ reach, run = runLater }: LookupsOptions) {
    this.#reach = reach;
    this.#run = run;
  }

  /** Follows links; undefined if nothing exists there. Rejects with OutOfReach. */
  async find(path: string): Promise<FoundPath | undefined> {
    const known = this.#found.get(path);
    if (known !== undefined) {
      await giveWay();
      return known;
    }
    const finding = this.#gate.pass(() => this.#find(path));
    this.#found.set(path, finding);
    return await finding;
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders.values()) folder?.folder.close();
    this.#folders.clear();
  }

  async #find(path: string): Promise<FoundPath | undefined> {
    const isPlain = resolve(path) === path && path !== "/" && this.#reach.covers(path);
    const kept = isPlain ? await this.#folder(dirname(path)) : undefined;
    if (kept === undefined) return this.#walk(path);
    const { folder, isLocal } = kept;
    const name = basename(path);
    if (isLocal) await giveWay();
    const stats = isLocal ? runNow(folder.lstat(name)) : await this.#run(folder.lstat(name));
    if (stats?.isSymbolicLink() === true) return this.#walk(path);
    return stats === undefined ? undefined : { stat: toFileStat(stats), realPath: join(folder.path, name) };
  }

  async #walk(path: string): Promise<FoundPath | undefined> {
    const realPath = await this.#run(this.#reach.realPath(path));
    if (realPath === undefined) return undefined;
    const stats = await this.#run(this.#reach.stat(realPath));
    return stats === undefined ? undefined : { stat: toFileStat(stats), realPath };
  }

  /** Opens a folder from the folder around it. Undefined for a link, a missing folder and one that is out of reach. */
  async #folder(path: string): Promise<KeptFolder | undefined> {
    const isKnown = this.#folders.has(path);
    const folder = isKnown ? this.#folders.get(path) : await this.#open(path);
    this.#folders.delete(path);
    this.#folders.set(path, folder);
    if (!isKnown) this.#closeOldest();
    return folder;
  }

  async #open(path: string): Promise<KeptFolder | undefined> {
    if (!this.#reach.covers(path)) return undefined;
    const outer = dirname(path);
    try {
      if (outer === path || !this.#reach.covers(outer)) return await this.#keep(this.#reach.openFolder(path));
      const around = await this.#folder(outer);
      return around === undefined ? undefined : await this.#keep(around.folder.folder(basename(path)));
    } catch {
      return undefined; // The walk to the path itself reports the problem.
    }
  }

  async #keep(opening: Steps<OpenFolder>): Promise<KeptFolder> {
    const folder = await this.#run(opening);
    const isLocal = await this.#run(folder.fileSystem()).then(isLocalDisk, () => false);
    return { folder, isLocal };
  }

  #closeOldest(): void {
    if (this.#folders.size <= MAX_FOLDERS) return;
    const [oldest] = this.#folders;
    if (oldest === undefined) return;
    this.#folders.delete(oldest[0]);
    oldest[1]?.folder.close();
  }
}

/** The files of a disk, with lookups that one request shares. */
export function withLookups(disk: FileAccess, lookups: Lookups): FileAccess {
  return {
    stat: async (uri) => (await lookups.find(fileURLToPath(uri)))?.stat,
    list: (uri) => disk.list(uri),
    readText: (uri, maxBytes) => disk.readText(uri, maxBytes),
    checksum: (uri) => disk.checksum(uri),
    realUri: (uri) => disk.realUri(uri),
  };
}
