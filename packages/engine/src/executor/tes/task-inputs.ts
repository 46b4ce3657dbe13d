import { isUtf8 } from "node:buffer";
import { basename, dirname } from "node:path";
import type { Mount, LaunchTask } from "../executor.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { isBelow } from "../../files/is-below.ts";

/** A file of a task, or an empty folder. */
export interface TaskInput {
  /** Path in the container. */
  readonly path: string;
  readonly type: "FILE" | "DIRECTORY";
  /** Absolute path on this machine, with links resolved. */
  readonly from: string;
  /** The content of a short file written for this job. */
  readonly content?: string;
}

/** Maximum size that every server accepts as `content`. */
const MAX_CONTENT_BYTES = 128 * 1024;

/**
 * Lists each file that a local container would mount, because not every server accepts folders. Empty folders stay
 * folders. Short texts in the attempt's own folder (`folder`) are sent inline. Rejects if a file is unreadable, or if a
 * link leads to a file that the run may not read.
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

  /** `above`: the real folders that contain the entry. */
  async add(source: string, target: string, above: readonly string[]): Promise<void> {
    const meant = await this.#meant(source);
    const from = await runLater(this.#reach.realPath(meant));
    const found = from === undefined ? undefined : await runLater(this.#reach.stat(from));
    if (from === undefined || found === undefined) throw new Error(`${source} does not exist`);
    if (!found.isDirectory()) return this.#addFile(from, target, found.size);
    if (above.includes(from)) throw new Error(`${source} links back to a folder that contains it`);
    const names = await this.#namesIn(from);
    for (const name of names) {
      // An empty file or folder is only a mount point; its mount is listed separately.
      if (this.#byTarget.has(`${target}/${name}`)) continue;
      await this.add(`${from}/${name}`, `${target}/${name}`, [...above, from]);
    }
    if (names.length === 0 && !this.#isOwn(from, target)) this.inputs.push({ path: target, type: "DIRECTORY", from });
  }

  /** Links in the output directory lead to mounts in the container. */
  async #meant(source: string): Promise<string> {
    // The server creates the folders of an attempt, and no job can replace them.
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
    const isShort = sizeBytes > 0 && sizeBytes <= MAX_CONTENT_BYTES && isBelow(from, this.#folder);
    const content = isShort ? textIn(await this.#read(from)) : undefined;
    this.inputs.push({ path, type: "FILE", from, ...(content === undefined ? {} : { content }) });
  }

  async #read(path: string): Promise<Buffer> {
    using file = await runLater(this.#reach.openFile(path));
    return await runLater(file.read(0, MAX_CONTENT_BYTES));
  }

  /** The folders that every job has; a TES server creates them. */
  #isOwn(from: string, target: string): boolean {
    return this.#byTarget.has(target) && isBelow(from, this.#folder);
  }
}

/** The bytes as a string; undefined if it could not pass through every server and its database unchanged. */
function textIn(bytes: Buffer): string | undefined {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : undefined;
}
