import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { openTrustedFolder } from "../beneath/open-folder.ts";
import { Reach } from "../beneath/reach.ts";
import { runLater } from "../beneath/steps.ts";
import { linkOrCopyFile, linkOrCopyFolder } from "../link-or-copy.ts";

let count = 0;

/** A folder within reach, one outside, and one to which files are linked or copied. */
export async function linkedFolders(root: string) {
  const base = join(root, String(++count));
  const [own, target, outside] = ["own", "target", "outside"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]; // as many as were named
  for (const folder of [own, target, outside]) await mkdir(folder, { recursive: true });
  await writeFile(join(outside, "file"), "token");
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
