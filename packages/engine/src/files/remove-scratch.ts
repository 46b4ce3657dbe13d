import { basename, dirname } from "node:path";
import { errorText } from "../error-text.ts";
import { openTrustedFolder, type OpenFolder } from "./beneath/open-folder.ts";
import { runNear } from "./beneath/steps.ts";

/** A disk that discards freed blocks at once makes each removal wait (see `rmdir`); several at a time share the wait. */
const AT_ONCE = 4;
/** The number of upper levels (the folder itself, its runs and their jobs), below which there may be many folders. */
const LEVELS = 3;

/**
 * Removes a temporary folder in which jobs ran, whatever they left there. The rest (files of another account, for
 * example) is not a failure of the command: `warn` gets a sentence about it.
 */
export async function removeScratch(path: string, warn: (message: string) => void): Promise<void> {
  try {
    using around = await runNear(openTrustedFolder(dirname(path)));
    await remove(around, basename(path), LEVELS);
  } catch (error) {
    warn(`the temporary folder ${path} could not be removed (${errorText(error)})`);
  }
}

async function remove(around: OpenFolder, name: string, levels: number): Promise<void> {
  if (levels > 0) await removeContent(around, name, levels - 1).catch(ignoreForNow);
  await runNear(around.removeAll(name));
}

async function removeContent(around: OpenFolder, name: string, levels: number): Promise<void> {
  using folder = await runNear(around.folder(name));
  const names = (await runNear(folder.entries())).map((entry) => entry.name);
  const removeSome = async () => {
    for (let next = names.pop(); next !== undefined; next = names.pop())
      await remove(folder, next, levels).catch(ignoreForNow);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, removeSome));
}

/** A file that remains makes the removal of its folder fail, and that failure is reported. */
function ignoreForNow(): void {}
