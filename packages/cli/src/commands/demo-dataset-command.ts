import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeLine } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";
import { SHIPPED } from "../settings/shipped-files.ts";
import { errorText } from "@weft/engine/error-text.ts";

const SCRIPT = "lib/bids/1.0.0/make-dataset.mjs";

/** Writes the synthetic BIDS dataset of the shipped catalog into an empty or new folder. */
export async function demoDatasetCommand(settings: Settings): Promise<number> {
  const folder = settings.resolve(settings.positionals[0] ?? "");
  const { makeDataset } = (await import(pathToFileURL(join(SHIPPED.catalog, SCRIPT)).href)) as MakeDataset; // the module above
  try {
    const count = await makeDataset(folder);
    writeLine(settings.io, `${folder}: a BIDS dataset of 40 subjects in ${count} files`);
    return EXIT.success;
  } catch (error) {
    writeLine(settings.io, `weft: ${errorText(error)}`);
    return EXIT.failure;
  }
}

interface MakeDataset {
  readonly makeDataset: (folder: string) => Promise<number>;
}
