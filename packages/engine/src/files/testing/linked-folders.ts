import { join } from "node:path";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { openTrustedFolder } from "../beneath/open-folder.ts";
import { Reach } from "../beneath/reach.ts";
import { runLater } from "../beneath/steps.ts";
import { linkOrCopyFile, linkOrCopyFolder } from "../link-or-copy.ts";

let count = 0;

/** A folder within reach, one outside, and one to which files are linked or copied. */
export function linkedFolders(root: string) {
  const base = join(root, String(++count));
  const [own, target, outside] = [join(base, "own"), join(base, "target"), join(base, "outside")];
  writeFiles(base, { "own/": "", "target/": "", "outside/file": "token" });
  const options = {
    reach: new Reach({ regions: [{ folder: own }] }),
    ownFolder: own as string | undefined,
    makesWritable: false,
    sync: true,
    limits: { ...DEFAULT_LIMITS, listingEntries: 200, valueDepth: 20 },
  };
  const place = async (name: string, more: Partial<typeof options> = {}) => {
    using folder = await runLater(openTrustedFolder(target));
    await linkOrCopyFile(join(own, name), { folder, name: "file" }, { ...options, ...more });
  };
  const linkAll = async () => {
    using folder = await runLater(openTrustedFolder(target));
    await linkOrCopyFolder(own, folder, options);
  };
  return { own, target, outside, place, linkAll };
}
