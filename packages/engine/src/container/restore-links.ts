import { lstat, readdir, readlink, symlink, unlink } from "node:fs/promises";
import { posix } from "node:path";

/**
 * Symbolic links that a job left in its output folder name places inside its container. Those that mean a file which
 * this machine has somewhere else are made to lead there; others stay as they are, and are judged like any link.
 * `folder`: the output folder here; `inside`: the same as the job saw it.
 */
export async function restoreLinks(
  folder: string,
  inside: string,
  toOutside: (path: string) => string | undefined,
): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = `${folder}/${name}`;
    const stat = await lstat(path);
    if (stat.isDirectory()) await restoreLinks(path, `${inside}/${name}`, toOutside);
    else if (stat.isSymbolicLink()) await restoreLink(path, inside, toOutside);
  }
}

async function restoreLink(
  path: string,
  insideFolder: string,
  toOutside: (path: string) => string | undefined,
): Promise<void> {
  const meant = await readlink(path);
  const outside = toOutside(posix.resolve(insideFolder, meant));
  // A relative link within the output folder leads to the same on both sides.
  if (outside === undefined || outside === posix.resolve(posix.dirname(path), meant)) return;
  await unlink(path);
  await symlink(outside, path);
}
