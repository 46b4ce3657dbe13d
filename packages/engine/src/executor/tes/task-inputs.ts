import { isUtf8 } from "node:buffer";
import { basename, dirname } from "node:path";
import type { Mount } from "../executor.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { isBelow } from "../../files/is-below.ts";
import type { LaunchTask } from "../executor.ts";

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
 * texts go along as they are. Rejects if a file is unreadable, or if a link leads to a file that the run may not read.
 */
export async function taskInputs(
  task: Pick<LaunchTask, "mounts" | "reach">,
  folder: string,
): Promise<readonly TaskInput[]> {
  const expansion = new Expansion(task, folder);
  for (const { source, target } of task.mounts) await expansion.add(source, target, []);
  return expansion.inputs;
}

class Expansion {
  readonly inputs: TaskInput[] = [];
  readonly #byTarget: ReadonlyMap<string, Mount>;
  readonly #reach: Reach;
  readonly #folder: string;

  constructor({ mounts, reach }: Pick<LaunchTask, "mounts" | "reach">, folder: string) {
    this.#reach = reach;
    this.#byTarget = new Map(mounts.map((mount) => [mount.target, mount]));
    this.#folder = folder;
  }

  /** `above`: the folders, without links, that were entered on the way here. */
  async add(source: string, target: string, above: readonly string[]): Promise<void> {
    const meant = await this.#meant(source);
    const from = await runLater(this.#reach.realPath(meant));
    const found = from === undefined ? undefined : await runLater(this.#reach.stat(from));
    if (from === undefined || found === undefined) throw new Error(`${source} does not exist`);
    if (!found.isDirectory()) return this.#addFile(from, target, found.size);
    if (above.includes(from)) throw new Error(`${source} leads back to a folder that holds it`);
    const names = await this.#namesIn(from);
    for (const name of names) {
      // An empty file or folder stands where something is mounted, which comes by itself.
      if (this.#byTarget.has(`${target}/${name}`)) continue;
      await this.add(`${from}/${name}`, `${target}/${name}`, [...above, from]);
    }
    if (names.length === 0 && !this.#isOwn(from, target)) this.inputs.push({ path: target, type: "DIRECTORY", from });
  }

  /** In the folder of outputs links lead to where in the container something is mounted. */
  async #meant(source: string): Promise<string> {
    // The server makes the folders of an attempt, and no job can replace them.
    if (dirname(source) === this.#folder) return source;
    using folder = await runLater(this.#reach.openFolder(dirname(source)));
    const name = basename(source);
    if ((await runLater(folder.lstat(name)))?.isSymbolicLink() !== true) return source;
    return this.#byTarget.get(await runLater(folder.readlink(name)))?.source ?? source;
  }

  async #namesIn(path: string): Promise<readonly string[]> {
    using folder = await runLater(this.#reach.openFolder(path));
    return (await runLater(folder.entries())).map(({ name }) => name).toSorted();
  }

  async #addFile(from: string, path: string, sizeBytes: number): Promise<void> {
    const isShort = sizeBytes > 0 && sizeBytes <= MOST_CONTENT_BYTES && isBelow(from, this.#folder);
    const content = isShort ? textIn(await this.#read(from)) : undefined;
    this.inputs.push({ path, type: "FILE", from, ...(content === undefined ? {} : { content }) });
  }

  async #read(path: string): Promise<Buffer> {
    using file = await runLater(this.#reach.openFile(path));
    return await runLater(file.read(0, MOST_CONTENT_BYTES));
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
