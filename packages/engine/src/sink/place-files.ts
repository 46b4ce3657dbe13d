import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OpenFile } from "../files/beneath/open-file.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import { makeFolders, type Reach } from "../files/beneath/reach.ts";
import { runLater } from "../files/beneath/steps.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import { hashOpenFile } from "../files/hash-file.ts";
import type { Placement, PublishedFile } from "./plan-placements.ts";
import { leadsOut, openSink, type PlacingFault, type SinkFolders } from "./folders/sink-folders.ts";

export interface PlacingOptions {
  readonly runId: string;
  /** The files that may be copied. */
  readonly reach: Reach;
  readonly sinks: SinkFolders;
  /** Sync the bytes to disk before this resolves. */
  readonly sync: boolean;
  /** Called when all destinations have been checked, before the first copy. */
  readonly begin?: () => Promise<PlacingFault | undefined>;
}

/**
 * Copies files to their destinations. Never replaces anything; existing equal content counts as a copy, so that a
 * server can continue after a crash. A file becomes visible only once it is complete. Checks all destinations before
 * copying the first file. Others may write to the same folders, so it follows no link that leads out of them.
 * Returns undefined if every file is at its destination. Fills `placed` as it proceeds. Rejects with disk errors.
 */
export async function placeFiles(
  placements: readonly Placement[],
  options: PlacingOptions,
  placed: Placement[],
): Promise<PlacingFault | undefined> {
  const targets = new Map<string, Target>();
  for (const placement of placements) {
    const target = await findTarget(placement, options.sinks);
    if ("message" in target) return target;
    targets.set(target.path, targets.get(target.path) ?? target);
  }
  const refused = await options.begin?.();
  if (refused !== undefined) return refused;
  for (const target of targets.values()) {
    const fault = target.isThere ? undefined : await place(target, options);
    if (fault !== undefined) return fault;
    placed.push(target.placement);
  }
  if (options.sync) await syncFolders([...targets.values()]);
  return undefined;
}

interface Target {
  /** `vfs://…`, for people. */
  readonly shown: string;
  readonly path: string;
  readonly sink: Reach;
  readonly file: PublishedFile | undefined;
  readonly placement: Placement;
  readonly isThere: boolean;
}

async function findTarget(placement: Placement, sinks: SinkFolders): Promise<Target | PlacingFault> {
  const { root, path, file } = placement;
  const shown = `vfs://${root}/${path.join("/")}`;
  const opened = await openSink(root, shown, sinks);
  if ("message" in opened) return opened;
  try {
    const target = { shown, path: join(opened.path, ...path), sink: opened.sink, file, placement };
    const isThere = await isInPlace(target);
    if (isThere !== undefined) return { ...target, isThere };
  } catch (error) {
    if (!(error instanceof OutOfReach)) throw error;
    return leadsOut(shown, opened.folder);
  }
  return {
    message: `${shown} already exists, and outputs never replace existing files`,
    hint: "move it away and run again, or use {run_id} in the template",
  };
}

/** True if equal content exists at the target, false if the target is free; undefined if it has other content. */
async function isInPlace({ path, sink, file, placement }: Omit<Target, "isThere">): Promise<boolean | undefined> {
  const found = await runLater(sink.stat(path));
  if (found === undefined) return false;
  if (placement.isOptional === true) return true;
  if (file === undefined) return found.isDirectory() || undefined;
  if (!found.isFile() || found.size !== file.size) return undefined;
  using there = await runLater(sink.openFile(path));
  return (await hashOpenFile(there, path)).sha1 === file.checksum || undefined;
}

async function place(target: Target, options: PlacingOptions): Promise<PlacingFault | undefined> {
  const { path, file, sink } = target;
  const { runId, sinks } = options;
  using folder = await makeFolders(file === undefined ? path : dirname(path), sink, sinks.umask);
  if (file === undefined) return undefined;
  // An interrupted attempt left a file of this name: replace it.
  const partial = `.weft-${runId}.part`;
  await runLater(folder.removeFile(partial));
  try {
    return await placeIn(folder, { ...target, file, partial }, options);
  } finally {
    await runLater(folder.removeFile(partial));
  }
}

async function placeIn(
  folder: OpenFolder,
  { shown, path, file, partial }: Target & { readonly file: PublishedFile; readonly partial: string },
  { reach, sinks, sync }: PlacingOptions,
): Promise<PlacingFault | undefined> {
  const mode = file.text === undefined ? await copyFile(folder, partial, { file, reach }) : 0o666;
  if (file.text !== undefined) await writeText(folder, partial, file.text);
  using copied = await runLater(folder.file(partial));
  await runLater(copied.setMode(mode & ~sinks.umask));
  if ((await hashOpenFile(copied, join(folder.path, partial), { sync })).sha1 !== file.checksum)
    return {
      message: `the copy at ${shown} differs from the output of the run`,
      hint: "check the disks, and run again",
    };
  if (await giveName(folder, copied, { partial, name: path.slice(path.lastIndexOf("/") + 1) })) return undefined;
  return {
    message: `another file has appeared at ${shown}, and outputs never replace existing files`,
    hint: "move it away and run again",
  };
}

/** The permissions that the copy gets. */
async function copyFile(
  folder: OpenFolder,
  partial: string,
  { file, reach }: { readonly file: PublishedFile; readonly reach: Reach },
): Promise<number> {
  using source = await runLater(reach.openFile(fileURLToPath(file.location)));
  await runLater(folder.copy(source, partial));
  return source.stats.mode & 0o111 ? 0o777 : 0o666;
}

async function writeText(folder: OpenFolder, name: string, text: string): Promise<void> {
  using made = await runLater(folder.create(name));
  made.write(text);
}

/**
 * Gives a complete file its name; false if the name was taken in the meantime. A link never replaces a file, but some
 * file systems do not support links.
 */
async function giveName(
  folder: OpenFolder,
  copied: OpenFile,
  { partial, name }: { readonly partial: string; readonly name: string },
): Promise<boolean> {
  try {
    if (await runLater(folder.link(folder.at(partial), copied, name))) return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  if ((await runLater(folder.lstat(name))) !== undefined) return false;
  await runLater(folder.rename(partial, name));
  return true;
}

async function syncFolders(targets: readonly Target[]): Promise<void> {
  const folders = new Map(targets.map(({ path, sink }) => [dirname(path), sink]));
  for (const [path, sink] of folders) {
    using folder = await runLater(sink.openFolder(path));
    await runLater(folder.sync());
  }
}
