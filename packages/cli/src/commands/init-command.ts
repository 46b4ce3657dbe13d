import { EXIT } from "../exit/exit.ts";
import { inputTemplate } from "../inputs/input-template.ts";
import type { Settings } from "../settings/read-settings.ts";
import { loadCwl } from "./load-cwl.ts";

/** Prints an input object to fill in. */
export async function initCommand({ io, positionals: [document = ""] }: Settings): Promise<number> {
  const loaded = await loadCwl(document, io);
  if (typeof loaded === "number") return loaded;
  io.stdout.write(inputTemplate(loaded.process, document, io.cwd));
  return EXIT.success;
}
