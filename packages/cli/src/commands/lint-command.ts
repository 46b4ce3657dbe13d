import { lintDocument, lintIndentation } from "@weft/language/lint-document.ts";
import { lintResources } from "@weft/engine/tests/lint-resources.ts";
import { EXIT } from "../exit/exit.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { diagnosticText } from "../output/diagnostic-text.ts";
import type { Settings } from "../settings/read-settings.ts";
import { loadCwl } from "./load-cwl.ts";

/** Prints advice about valid documents. Exits with 1 if there is any. */
export async function lintCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  const state = settings.path("state");
  let exit: number = EXIT.success;
  for (const document of settings.positionals) {
    const loaded = await loadCwl(document, io);
    if (typeof loaded === "number") return loaded;
    const { process, sources } = loaded;
    const recorded = state === undefined ? [] : lintResources(process, state);
    const found = [...sources.slice(0, 1).flatMap(lintIndentation), ...lintDocument(process), ...recorded];
    for (const finding of found) io.stdout.write(`${diagnosticText(finding, sources, io.cwd)}\n`);
    io.stdout.write(`${document}: ${found.length === 0 ? "nothing to improve" : countText(found.length, "finding")}\n`);
    if (found.length > 0) exit = EXIT.failure;
  }
  return exit;
}
