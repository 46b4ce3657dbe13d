import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Reach } from "../files/beneath/reach.ts";
import { digestOf } from "../files/hash-file.ts";
import { placeFiles } from "./place-files.ts";
import type { PlacingOptions } from "./place-files.ts";
import type { Placement } from "./plan-placements.ts";

/** A text about an output. */
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
  const folder = await mkdtemp(join(tmpdir(), "weft-sidecars-"));
  const reach = new Reach({ regions: [{ folder }] });
  try {
    const faults: string[] = [];
    for (const sidecar of sidecars) {
      const placement = await written(sidecar, join(folder, "text"));
      const fault = await placeFiles([placement], { ...options, reach }, []).catch((error: unknown) => ({
        message: String(error),
      }));
      if (fault !== undefined) faults.push(fault.message);
    }
    return faults;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function written({ of, text }: Sidecar, at: string): Promise<Placement> {
  const bytes = Buffer.from(text);
  await writeFile(at, bytes);
  const path = [...of.whole.path.slice(0, -1), `${of.whole.path.at(-1) ?? ""}${ENDING}`];
  const location = pathToFileURL(at).href;
  const { sha1, sizeBytes } = digestOf(bytes);
  return { ...of, path, file: { location, checksum: sha1, size: sizeBytes }, whole: { path, location } };
}
