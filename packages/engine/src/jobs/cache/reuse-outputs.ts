import { realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { CwlObject, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { openTrustedFolder, removeBelowTrusted } from "../../files/beneath/open-folder.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { linkOrCopyFile, linkOrCopyFolder } from "../../files/link-or-copy.ts";
import { syncToDisk } from "../../files/write-durably.ts";
import { filesOf, mapObjectFiles } from "../../values/map-files.ts";
import { isBelow } from "../../files/is-below.ts";
import { streamPath } from "../../journal/stream-path.ts";
import type { JobRow } from "../../journal/rows.ts";
import { attemptFolder, attemptPath } from "../../files/attempt-folder.ts";
import type { RunLog } from "../../journal/run-log.ts";
import { restoreValues } from "../../values/record-values.ts";
import type { RunDisk } from "../job-services.ts";

/**
 * Links the outputs and logs of an earlier job to this one, so that removing either run does not affect the other.
 * Accepts what an interrupted server left in the folder. Rejects with ENOENT if the earlier files disappear meanwhile.
 * Returns the outputs at their new paths.
 */
export async function reuseOutputs(earlier: JobRow, folder: string, services: RunLog & RunDisk): Promise<CwlObject> {
  const move = new FolderMove(attemptFolder(services.runsFolder, earlier.runId, earlier), folder, services);
  await removeBelowTrusted(folder);
  await mkdir(join(folder, "out"), { recursive: true });
  const outputs = earlierOutputs(earlier, services);
  for (const { file } of filesOf(outputs)) await move.link(file);
  const { command } = earlier;
  if (command !== null)
    for (const stream of ["stdout", "stderr"] as const) await move.linkStream(streamPath(command, stream), earlier);
  if (services.sync) await move.sync();
  return mapObjectFiles(outputs, (file) => move.rename(file));
}

/** The outputs of a successful job, with `file:` locations. */
export function earlierOutputs({ outputs }: JobRow, { journal, uris }: RunLog): CwlObject {
  return outputs === null ? {} : restoreValues(journal.read.blob(outputs), uris);
}

/** Maps paths from one attempt folder to another. */
class FolderMove {
  readonly #from: string;
  readonly #to: string;
  readonly #services: RunLog & RunDisk;
  /** Absolute paths, old to new. */
  readonly #places = new Map<string, string>();
  /** The folders among them, including their whole content. */
  readonly #wholes = new Map<string, string>();
  readonly #folders = new Set<string>();
  readonly #realRuns: string;

  constructor(from: string, to: string, services: RunLog & RunDisk) {
    this.#from = from;
    this.#to = to;
    this.#services = services;
    this.#realRuns = realpathSync(services.runsFolder);
    this.#note(join(to, "out"));
  }

  async link({ class: kind, location }: FileOrDirectory): Promise<void> {
    const source = this.#ownPath(location);
    if (source === undefined || this.#places.has(source)) return;
    const whole = [...this.#wholes].find(([folder]) => isBelow(source, folder));
    if (whole !== undefined) {
      // The folder that lists it already contains it.
      this.#places.set(source, join(whole[1], relative(whole[0], source)));
      return;
    }
    const target = this.#targetOf(source);
    this.#places.set(source, target);
    if (kind === "Directory") this.#wholes.set(source, target);
    await this.#prepare(kind === "File" ? dirname(target) : target);
    using folder = await runLater(openTrustedFolder(kind === "File" ? dirname(target) : target));
    if (kind === "File") await linkOrCopyFile(source, { folder, name: basename(target) }, this.#options);
    else await linkOrCopyFolder(source, folder, this.#options);
  }

  /** A missing log is no reason to run the job again. It may also be an output. */
  async linkStream(path: string, earlier: JobRow): Promise<void> {
    const source = join(this.#services.runsFolder, earlier.runId, attemptPath(earlier, path));
    if ((await runLater(this.#options.reach.stat(source))) === undefined) return;
    const target = join(this.#to, path);
    await this.#prepare(dirname(target));
    using folder = await runLater(openTrustedFolder(dirname(target)));
    const name = basename(target);
    if ((await runLater(folder.lstat(name))) === undefined)
      await linkOrCopyFile(source, { folder, name }, this.#options);
  }

  rename<Value extends FileOrDirectory>(file: Value): Value {
    const { location } = file;
    const target = this.#places.get(this.#ownPath(location) ?? "");
    return target === undefined ? file : { ...file, location: pathToUri(target) };
  }

  /** Syncs the names to disk before the log mentions them, innermost folders first. */
  async sync(): Promise<void> {
    const folders = [...this.#folders].sort((a, b) => b.length - a.length);
    for (const folder of [...folders, dirname(this.#to)]) await syncToDisk(folder);
  }

  /**
   * The path of a location in the folder of runs; undefined for any other location. The folder may be reached through a
   * link, while links in locations are resolved.
   */
  #ownPath(location: string | undefined): string | undefined {
    if (location?.startsWith("file:") !== true) return undefined;
    const path = fileURLToPath(location);
    const { runsFolder } = this.#services;
    if (isBelow(path, runsFolder)) return path;
    return isBelow(path, this.#realRuns) ? join(runsFolder, relative(this.#realRuns, path)) : undefined;
  }

  get #options() {
    const { runsFolder, sync, access, limits } = this.#services;
    return { reach: access.all.reach, ownFolder: runsFolder, sync, limits };
  }

  /** An output may have been produced by another job of that run and only passed on. */
  #targetOf(source: string): string {
    if (isBelow(source, this.#from)) return join(this.#to, relative(this.#from, source));
    return join(this.#to, "passed", String(this.#places.size), basename(source));
  }

  async #prepare(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    this.#note(folder);
  }

  #note(folder: string): void {
    for (let path = folder; isBelow(path, this.#to); path = dirname(path)) this.#folders.add(path);
  }
}
