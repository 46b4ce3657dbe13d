import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { absent } from "../files/absent.ts";
import { hashFile } from "../files/hash-file.ts";
import { isBelow } from "../files/is-below.ts";
import type { Placement, PublishedFile } from "./plan-placements.ts";
import type { SinkFolders } from "./sink-folders.ts";

/** Why outputs were not placed. */
export interface PlacingFault {
  readonly message: string;
  readonly hint: string;
}

export interface PlacingOptions {
  readonly runId: string;
  readonly sinks: SinkFolders;
  /** The bytes are on disk before this resolves. */
  readonly sync: boolean;
}

/**
 * Copies files to their places: nothing that is there is ever replaced, the same content there is as good as a copy (so
 * that a server which ended in between goes on), and a file is seen only when it is whole. All places are looked at before
 * the first file is copied. Undefined: everything is where it belongs. `placed` is filled on the way. Rejects with what
 * the disk says.
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
  for (const target of targets.values()) {
    const fault = target.isThere ? undefined : await place(target, options);
    if (fault !== undefined) return fault;
    placed.push(target.placement);
  }
  const folders = new Set([...targets.keys()].map((path) => dirname(path)));
  if (options.sync) for (const folder of folders) await syncPath(folder);
  return undefined;
}

interface Target {
  /** `vfs://…`, for people. */
  readonly shown: string;
  readonly path: string;
  /** Real path of its root. */
  readonly root: string;
  readonly file: PublishedFile | undefined;
  readonly placement: Placement;
  readonly isThere: boolean;
}

async function findTarget(placement: Placement, { folders }: SinkFolders): Promise<Target | PlacingFault> {
  const { root, path, file } = placement;
  const folder = folders[root];
  const shown = `vfs://${root}/${path.join("/")}`;
  const real = folder === undefined ? undefined : await realpath(folder).catch(absent);
  if (real === undefined)
    return {
      message: `${shown} is in no folder that this server may write to`,
      hint: `start it with --sink ${root}=DIR`,
    };
  const target = join(real, ...path);
  const existing = await nearestFolder(dirname(target));
  if (!isBelow(existing, real))
    return { message: `${shown} leads out of its folder through a link`, hint: `remove the link below ${folder}` };
  const found = await stat(target).catch(absent);
  if (found === undefined) return { shown, path: target, root: real, file, placement, isThere: false };
  const isThere =
    file === undefined ? found.isDirectory() : found.isFile() && (await hasContent(target, file, found.size));
  if (isThere) return { shown, path: target, root: real, file, placement, isThere };
  return {
    message: `something else is already at ${shown}, and nothing is ever replaced`,
    hint: "move it away and run again, or put {run_id} into the template",
  };
}

async function hasContent(path: string, file: PublishedFile, size: number): Promise<boolean> {
  return size === file.size && (await hashFile(path)).sha1 === file.checksum;
}

/** The real path of the nearest folder around that is there. */
async function nearestFolder(folder: string): Promise<string> {
  return (await realpath(folder).catch(absent)) ?? nearestFolder(dirname(folder));
}

async function place(target: Target, { runId, sinks, sync }: PlacingOptions): Promise<PlacingFault | undefined> {
  const { path, file } = target;
  await makeFolders(file === undefined ? path : dirname(path), target.root, sinks.umask);
  if (file === undefined) return undefined;
  // Of an attempt that was broken off the same name is found and written anew.
  const partial = join(dirname(path), `.weft-${runId}.part`);
  await rm(partial, { force: true });
  const source = fileURLToPath(file.location);
  await copyFile(source, partial, constants.COPYFILE_FICLONE);
  await chmod(partial, ((await stat(source)).mode & 0o111 ? 0o777 : 0o666) & ~sinks.umask);
  const copied = await hashFile(partial, { sync });
  if (copied.sha1 !== file.checksum) {
    await rm(partial, { force: true });
    return {
      message: `what was copied to ${target.shown} is not what the run gave`,
      hint: "look at the disks, and run again",
    };
  }
  const isPlaced = await giveName(partial, path);
  await rm(partial, { force: true });
  return isPlaced
    ? undefined
    : {
        message: `something else came to ${target.shown} meanwhile, and nothing is ever replaced`,
        hint: "move it away and run again",
      };
}

/** False where somebody else was faster. A link takes no name that is taken; some file systems have none. */
async function giveName(partial: string, path: string): Promise<boolean> {
  try {
    await link(partial, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EMLINK" && code !== "ENOSYS") throw error;
  }
  if ((await stat(path).catch(absent)) !== undefined) return false;
  await rename(partial, path);
  return true;
}

/** One after the other, so that each has the rights that it would have outside of a server. */
async function makeFolders(folder: string, root: string, umask: number): Promise<void> {
  if (folder === root || (await stat(folder).catch(absent)) !== undefined) return;
  await makeFolders(dirname(folder), root, umask);
  const isOurs = await mkdir(folder).then(() => true, unlessThere);
  if (isOurs) await chmod(folder, 0o777 & ~umask);
  await syncPath(dirname(folder));
}

/** Another run may have been faster. */
function unlessThere(error: NodeJS.ErrnoException): false {
  if (error.code !== "EEXIST") throw error;
  return false;
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
