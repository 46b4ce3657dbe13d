import { posix } from "node:path";
import { openTrustedFolder } from "../files/beneath/open-folder.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { runLater } from "../files/beneath/steps.ts";

/**
 * Symbolic links in a job's output directory refer to paths inside its container. Redirects those whose target this
 * machine has at another path; leaves the others, which are checked like any link. `folder`: the output directory here;
 * `inside`: its path inside the container.
 */
export async function restoreLinks(
  folder: string,
  inside: string,
  toOutside: (path: string) => string | undefined,
): Promise<void> {
  using opened = await runLater(openTrustedFolder(folder));
  await restoreIn(opened, inside, toOutside);
}

async function restoreIn(
  folder: OpenFolder,
  inside: string,
  toOutside: (path: string) => string | undefined,
): Promise<void> {
  for (const entry of await runLater(folder.entries())) {
    const { name } = entry;
    if (entry.isDirectory()) {
      using inner = await runLater(folder.folder(name));
      await restoreIn(inner, `${inside}/${name}`, toOutside);
    } else if (entry.isSymbolicLink()) await restoreLink({ folder, name }, inside, toOutside);
  }
}

async function restoreLink(
  { folder, name }: { readonly folder: OpenFolder; readonly name: string },
  insideFolder: string,
  toOutside: (path: string) => string | undefined,
): Promise<void> {
  const meant = await runLater(folder.readlink(name));
  const outside = toOutside(posix.resolve(insideFolder, meant));
  // A relative link within the output directory has the same target on both sides.
  if (outside === undefined || outside === posix.resolve(folder.path, meant)) return;
  await runLater(folder.removeFile(name));
  await runLater(folder.symlink(outside, name));
}
