import { errorText } from "../error-text.ts";
import { removeBelowTrusted } from "./beneath/open-folder.ts";
import { runNear } from "./beneath/steps.ts";

/**
 * Removes a temporary folder in which jobs ran, whatever they left there. What remains (files of another account, for
 * example) is no failure of the command: `warn` gets a sentence about it.
 */
export async function removeScratch(path: string, warn: (message: string) => void): Promise<void> {
  // Nothing else is left to do, so blocking does no harm.
  await removeBelowTrusted(path, runNear).catch((error: unknown) =>
    warn(`the temporary folder ${path} could not be removed (${errorText(error)})`),
  );
}
