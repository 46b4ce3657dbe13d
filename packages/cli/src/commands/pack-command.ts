import { packDocument } from "@weft/cwl/document/pack-document.ts";
import { EXIT } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";
import { loadCwl } from "./load-cwl.ts";
import { selectPart } from "./select-part.ts";

/** Prints a document and everything that it refers to as one JSON document, optionally only the part for some targets. */
export async function packCommand(settings: Settings): Promise<number> {
  const [document = ""] = settings.positionals;
  const loaded = await loadCwl(document, settings.io);
  if (typeof loaded === "number") return loaded;
  const subject = selectPart(loaded.process, settings);
  settings.io.stdout.write(`${JSON.stringify(packDocument({ ...loaded, process: subject }), null, 2)}\n`);
  return EXIT.success;
}
