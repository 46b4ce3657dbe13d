import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { SHIPPED } from "../settings/shipped-files.ts";

const SCRIPT = "lib/bids/1.0.0/make-dataset.mjs";

/** Writes the synthetic BIDS dataset of the shipped catalog into an empty or new folder. */
export async function demoDatasetCommand(settings: Settings): Promise<number> {
  const folder = resolve(settings.positionals[0] ?? "");
  const { makeDataset } = (await import(pathToFileURL(join(SHIPPED.catalog, SCRIPT)).href)) as MakeDataset; // the module above
  try {
    const count = await makeDataset(folder);
    process.stderr.write(`${folder}: a BIDS dataset of 40 subjects in ${count} files\n`);
    return EXIT.success;
  } catch (error) {
    process.stderr.write(`weft: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.failure;
  }
}

interface MakeDataset {
  readonly makeDataset: (folder: string) => Promise<number>;
}
