import { isUtf8 } from "node:buffer";
import { lstat, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import type { Mount } from "../../container/container-engine.ts";
import { isBelow } from "../../files/is-below.ts";

/** A file of a task, or a folder in which nothing is. */
export interface TaskInput {
  /** In the container. */
  readonly path: string;
  readonly type: "FILE" | "DIRECTORY";
  /** Absolute path on this machine, without links. */
  readonly from: string;
  /** What it holds, where that was written for this job and is short. */
  readonly content?: string;
}

/** What every server takes as `content`. */
const MOST_CONTENT_BYTES = 128 * 1024;

/**
 * What a container of this machine would have mounted, as files one by one: not every server takes folders. Folders that are
 * empty are left as folders, for nothing else can say that they are there. `folder`: that of the attempt; its short
 * texts go along as they are. Rejects where something cannot be read.
 */
export async function taskInputs(mounts: readonly Mount[], folder: string): Promise<readonly TaskInput[]> {
  const expansion = new Expansion(mounts, folder);
  for (const { source, target } of mounts) await expansion.add(source, target, []);
  return expansion.inputs;
}

class Expansion {
  readonly inputs: TaskInput[] = [];
  readonly #byTarget: ReadonlyMap<string, Mount>;
  readonly #folder: string;

  constructor(mounts: readonly Mount[], folder: string) {
    this.#byTarget = new Map(mounts.map((mount) => [mount.target, mount]));
    this.#folder = folder;
  }

  /** `above`: the folders, without links, that were entered on the way here. */
  async add(source: string, target: string, above: readonly string[]): Promise<void> {
    const from = await realpath(await this.#meant(source));
    const found = await stat(from);
    if (!found.isDirectory()) return this.#addFile(from, target, found.size);
    if (above.includes(from)) throw new Error(`${source} leads back to a folder that holds it`);
    const names = (await readdir(from)).toSorted();
    for (const name of names) {
      // An empty file or folder stands where something is mounted, which comes by itself.
      if (this.#byTarget.has(`${target}/${name}`)) continue;
      await this.add(`${from}/${name}`, `${target}/${name}`, [...above, from]);
    }
    if (names.length === 0 && !this.#isOwn(from, target)) this.inputs.push({ path: target, type: "DIRECTORY", from });
  }

  /** In the folder of outputs links lead to where in the container something is mounted. */
  async #meant(source: string): Promise<string> {
    const found = await lstat(source);
    return (found.isSymbolicLink() ? this.#byTarget.get(await readlink(source))?.source : undefined) ?? source;
  }

  async #addFile(from: string, path: string, sizeBytes: number): Promise<void> {
    const isShort = sizeBytes > 0 && sizeBytes <= MOST_CONTENT_BYTES && isBelow(from, this.#folder);
    const content = isShort ? textIn(await readFile(from)) : undefined;
    this.inputs.push({ path, type: "FILE", from, ...(content === undefined ? {} : { content }) });
  }

  /** The folders that every job has: a server makes them. */
  #isOwn(from: string, target: string): boolean {
    return this.#byTarget.has(target) && isBelow(from, this.#folder);
  }
}

/** Undefined where the bytes are no text that comes back as the same bytes from every server and its database. */
function textIn(bytes: Buffer): string | undefined {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : undefined;
}
