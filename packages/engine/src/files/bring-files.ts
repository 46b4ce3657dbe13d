import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { absent } from "./absent.ts";
import { linkRemembered, rememberPlace } from "./hash-file.ts";
import { isBelow } from "./is-below.ts";

export interface BringOptions {
  /** Files below it are ours: they are linked where the file system can. Others are copied. */
  readonly ownFolder: string;
  /** The bytes are on disk before this resolves. */
  readonly sync: boolean;
}

/**
 * The files of one folder in another, which is there. `around`: the real folders that hold this one; a link back to one of
 * them would be brought without end.
 */
export async function bringFolder(
  source: string,
  target: string,
  options: BringOptions & { readonly around?: readonly string[] },
): Promise<void> {
  const around = [...(options.around ?? []), await realpath(source)];
  for (const name of await readdir(source)) {
    const from = join(source, name);
    const to = join(target, name);
    if (!(await stat(from)).isDirectory()) await bringFile(from, to, options);
    else if (!around.includes(await realpath(from))) {
      await mkdir(to, { recursive: true });
      await bringFolder(from, to, { ...options, around });
      if (options.sync) await syncToDisk(to);
    }
  }
}

/** One file at another place; what is in the way there is replaced. */
export async function bringFile(source: string, path: string, options: BringOptions): Promise<void> {
  const real = await realpath(source);
  await bringReal(real, path, options);
  rememberPlace([source, real], path);
}

async function bringReal(real: string, path: string, { ownFolder, sync }: BringOptions): Promise<void> {
  // A hard link to somebody else's file would let later changes of it change our result.
  if (isBelow(real, ownFolder) && (await linkFile(real, path))) return;
  // An output may be an input that lies where it would go: it stays as it is.
  if (await isSameFile(real, path)) return;
  await rm(path, { force: true });
  await copyFile(real, path, constants.COPYFILE_FICLONE);
  if (sync) await syncToDisk(path);
}

/** False where the file system cannot link. What is in the way is replaced. */
async function linkFile(real: string, path: string): Promise<boolean> {
  try {
    linkRemembered(real, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EXDEV" || code === "EPERM" || code === "EMLINK" || code === "ENOTSUP") return false;
    if (code !== "EEXIST") throw error;
  }
  if (await isSameFile(real, path)) return true;
  await rm(path, { force: true });
  return linkFile(real, path);
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other).catch(absent)]);
  return second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

/** A file, or the names in a folder, survive power loss when this resolves. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
