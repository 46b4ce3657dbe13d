import { posix } from "node:path";
import { openTrustedFolder, type OpenFolder } from "../files/beneath/open-folder.ts";
import { runLater } from "../files/beneath/steps.ts";

/**
 * Symbolic links in a job's output directory refer to paths inside its container. Redirects those whose target this
 * machine has at another path; leaves the others, which are checked like any link. `folder`: the output directory here;
 * `inside`: its path inside the container.
 */
export async function restoreLinks(folder: string, inside: string, toOutside: ToOutside): Promise<void> {
  using opened = await runLater(openTrustedFolder(folder));
  await restoreIn(opened, inside, toOutside);
}

type ToOutside = (path: string) => string | undefined;

async function restoreIn(folder: OpenFolder, inside: string, toOutside: ToOutside): Promise<void> {
  for (const entry of await runLater(folder.entries())) {
    const { name } = entry;
    if (entry.isDirectory()) {
      using inner = await runLater(folder.folder(name));
      await restoreIn(inner, `${inside}/${name}`, toOutside);
    } else if (entry.isSymbolicLink()) {
      const meant = await runLater(folder.readlink(name));
      const outside = toOutside(posix.resolve(inside, meant));
      // A relative link within the output directory has the same target on both sides.
      if (outside === undefined || outside === posix.resolve(folder.path, meant)) continue;
      await runLater(folder.removeFile(name));
      await runLater(folder.symlink(outside, name));
    }
  }
}
