import type { Stats } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { limitExceeded } from "@weft/cwl/limits.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { OpenFile } from "./beneath/open-file.ts";
import type { OpenFolder } from "./beneath/open-folder.ts";
import type { FoundEntry, Reach } from "./beneath/reach.ts";
import { runLater, runNear, type Steps } from "./beneath/steps.ts";
import { codeOf } from "./beneath/system-calls.ts";
import { rememberLinked, rememberPlace, remembersStates } from "./hash-file.ts";
import { isBelow } from "./is-below.ts";

export interface LinkOrCopyOptions {
  /** The files that may be copied. */
  readonly reach: Reach;
  /** Weft's own files are below it. They are hard-linked if possible, all others copied. Absent: all are copied. */
  readonly ownFolder: string | undefined;
  /** The owner may write to the copies, whatever the modes of the files. */
  readonly makesWritable?: boolean;
  /** The bytes are on disk before this resolves. */
  readonly sync: boolean;
  readonly limits: Limits;
}

/** The target of a copy: a name in an open folder. */
export interface CopyTarget {
  readonly folder: OpenFolder;
  readonly name: string;
}

/**
 * Copies the content of one folder to another. Follows links to targets within reach, and keeps dangling ones. Copies no
 * folder twice: a link to a copied folder becomes a link to its copy, and a link to an enclosing folder is left out.
 * Rejects with OutOfReach, or LIMIT_EXCEEDED for a tree that is too large or too deep.
 */
export async function linkOrCopyFolder(source: string, target: OpenFolder, options: LinkOrCopyOptions): Promise<void> {
  const real = await runLater(options.reach.realPath(source));
  await new FolderCopy(real ?? source, target, options).run();
}

/** A link to a folder. It is handled after everything else has been copied. */
interface FolderLink {
  readonly source: string;
  /** Names below the target. */
  readonly names: readonly string[];
}

class FolderCopy {
  readonly #source: string;
  readonly #target: OpenFolder;
  readonly #options: LinkOrCopyOptions;
  /** The copied folders, by inode, as names below the target. */
  readonly #brought = new Map<string, readonly string[]>();
  readonly #links: FolderLink[] = [];
  #count = 0;

  constructor(source: string, target: OpenFolder, options: LinkOrCopyOptions) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  async run(): Promise<void> {
    await this.#linkOrCopyFolder(this.#source, this.#target, []);
    for (let link = this.#links.shift(); link !== undefined; link = this.#links.shift()) await this.#copyLink(link);
  }

  async #linkOrCopyFolder(source: string, target: OpenFolder, names: readonly string[]): Promise<void> {
    const { reach, sync, limits } = this.#options;
    if (names.length > limits.valueDepth)
      throw limitExceeded("valueDepth", limits, { what: `the depth of the folder \`${source}\`` });
    this.#brought.set(inodeOf(await runLater(reach.stat(source))), names);
    for (const { name, stats, isLink } of await this.#list(source)) {
      const from = join(source, name);
      const inner = [...names, name];
      if (stats?.isDirectory() !== true) await linkOrCopyFile(from, { folder: target, name }, this.#options);
      else if (isLink) this.#links.push({ source: from, names: inner });
      else await this.#copyInner(from, target, inner);
    }
    if (sync) await runLater(target.sync());
  }

  async #copyInner(source: string, parent: OpenFolder, names: readonly string[]): Promise<void> {
    using inner = await runLater(parent.folder(names.at(-1) ?? "", { makes: true }));
    await this.#linkOrCopyFolder(source, inner, names);
  }

  async #copyLink({ source, names }: FolderLink): Promise<void> {
    const { reach } = this.#options;
    const real = await runLater(reach.realPath(source));
    const stats = real === undefined ? undefined : await runLater(reach.stat(real));
    if (real === undefined || stats?.isDirectory() !== true) return;
    const known = this.#brought.get(inodeOf(stats));
    const above = names.slice(0, -1);
    if (known !== undefined && known.every((name, index) => name === above[index])) return;
    using parent = await this.#open(above);
    if (known === undefined) return await this.#copyInner(real, parent, names);
    const name = names.at(-1) ?? "";
    // A server that ended during the copy has already created it.
    await runLater(parent.removeFile(name));
    await runLater(parent.symlink(relative(`/${above.join("/")}`, `/${known.join("/")}`), name));
  }

  /** A copied folder. */
  async #open(names: readonly string[]): Promise<OpenFolder> {
    let folder = await runLater(this.#target.again());
    for (const name of names) {
      using outer = folder;
      folder = await runLater(outer.folder(name));
    }
    return folder;
  }

  async #list(source: string): Promise<readonly FoundEntry[]> {
    const { reach, limits } = this.#options;
    const entries = await runLater(reach.list(source));
    this.#count += entries.length;
    if (this.#count > limits.listingEntries)
      throw limitExceeded("listingEntries", limits, { what: `the number of entries of \`${this.#source}\`` });
    return entries;
  }
}

function inodeOf(stats: Stats | undefined): string {
  return `${stats?.dev} ${stats?.ino}`;
}

/** Copies one file, or a dangling link, to another path, and replaces a file or link there. */
export async function linkOrCopyFile(source: string, target: CopyTarget, options: LinkOrCopyOptions): Promise<void> {
  try {
    await linkOrCopyContent(source, target, options);
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
    if (!isMissing || !(await copyLink(source, target, options.reach))) throw error;
  }
}

/** False if it is not a link. */
async function copyLink(source: string, { folder, name }: CopyTarget, reach: Reach): Promise<boolean> {
  using around = await runLater(reach.openFolder(dirname(source)));
  const found = await runLater(around.lstat(basename(source)));
  if (found?.isSymbolicLink() !== true) return false;
  await runLater(folder.removeFile(name));
  await runLater(folder.symlink(await runLater(around.readlink(basename(source))), name));
  return true;
}

async function linkOrCopyContent(source: string, target: CopyTarget, options: LinkOrCopyOptions): Promise<void> {
  const { reach } = options;
  const steps = reach.withFile(source, (file, entry) => linkOrCopyOpenFile(file, { entry, target }, options));
  const isNear = options.ownFolder !== undefined && isBelow(source, options.ownFolder);
  const real = await (isNear ? runNear(steps) : runLater(steps));
  rememberPlace([source, real], join(target.folder.path, target.name));
}

interface CopyStep {
  /** The path that opened the file, for a hard link. */
  readonly entry: string;
  readonly target: CopyTarget;
}

/** Returns the path of the source file. */
function* linkOrCopyOpenFile(file: OpenFile, { entry, target }: CopyStep, options: LinkOrCopyOptions): Steps<string> {
  const { folder, name } = target;
  const { ownFolder, sync, makesWritable = false } = options;
  // With a hard link to another account's file, later changes to that file would change the result.
  if (ownFolder !== undefined && isBelow(file.path, ownFolder) && (yield* linkFile(file, { entry, target })))
    return file.path;
  // An output may be an input that is already at its destination: leave it there.
  if (yield* isSameFile(file, target)) return file.path;
  yield* folder.removeFile(name);
  yield* folder.copy(file, name, { makesWritable });
  if (sync) {
    using copied = yield* folder.file(name);
    yield* copied.sync();
  }
  return file.path;
}

/** Links a file, and replaces an existing entry; false if the file system cannot link. */
function* linkFile(file: OpenFile, { entry, target }: CopyStep): Steps<boolean> {
  const { folder, name } = target;
  const before = remembersStates() ? file.stateNow() : undefined;
  try {
    if (!(yield* folder.link(entry, file, name))) return false;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (yield* isSameFile(file, target)) return true;
    yield* folder.removeFile(name);
    return yield* linkFile(file, { entry, target });
  }
  if (before !== undefined) rememberLinked(before, file.stateNow());
  return true;
}

function* isSameFile({ stats }: OpenFile, { folder, name }: CopyTarget): Steps<boolean> {
  const there = yield* folder.lstat(name);
  return there !== undefined && there.ino === stats.ino && there.dev === stats.dev;
}
