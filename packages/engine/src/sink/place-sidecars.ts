import { Reach } from "../files/beneath/reach.ts";
import { placeFiles } from "./place-files.ts";
import type { PlacingOptions } from "./place-files.ts";
import { placedText } from "./derivative/deliver-derivatives.ts";
import type { Placement } from "./plan-placements.ts";
import { errorText } from "../error-text.ts";

/** A text about an output, to be written next to it. */
export interface Sidecar {
  readonly of: Placement;
  readonly text: string;
}

const ENDING = ".prov.json";

/**
 * Writes each text next to its output: `a.nii.prov.json` next to `a.nii`. Never replaces anything, as with files.
 * Returns messages about those that were not written.
 */
export async function placeSidecars(
  sidecars: readonly Sidecar[],
  options: Omit<PlacingOptions, "reach">,
): Promise<readonly string[]> {
  const reach = new Reach({ regions: [] });
  const faults: string[] = [];
  for (const { of, text } of sidecars) {
    const name = `${of.whole.path.at(-1) ?? ""}${ENDING}`;
    const placement = placedText({ ...of, path: of.whole.path }, name, text);
    const fault = await placeFiles([placement], { ...options, reach }, []).catch((error: unknown) => ({
      message: errorText(error),
    }));
    if (fault !== undefined) faults.push(fault.message);
  }
  return faults;
}
