import { EXIT } from "../exit/exit-codes.ts";
import { inputTemplate } from "../inputs/input-template.ts";
import type { Settings } from "../settings/read-settings.ts";
import { loadCwl } from "./load-cwl.ts";

/** Prints an input object to fill in. */
export async function initCommand({ positionals: [document = ""] }: Settings): Promise<number> {
  const loaded = await loadCwl(document);
  if (typeof loaded === "number") return loaded;
  process.stdout.write(inputTemplate(loaded.process, document));
  return EXIT.success;
}
