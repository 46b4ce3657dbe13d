import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { lintDocument, lintIndentation } from "@weft/language/lint-document.ts";
import { lintResources } from "@weft/engine/tests/lint-resources.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { diagnosticText } from "../output/diagnostic-text.ts";
import { refusedByState } from "../server/refused-by-state.ts";
import type { Settings } from "../settings/read-settings.ts";
import { loadCwl } from "./load-cwl.ts";
import type { SoundDocument } from "./load-cwl.ts";

/** Prints advice about valid documents. Exits with 1 if there is any. */
export async function lintCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  const state = settings.path("state");
  let exit: number = EXIT.success;
  try {
    for (const document of settings.positionals) {
      const loaded = await loadCwl(document, io);
      if (typeof loaded === "number") return loaded;
      if (report(document, loaded, { io, state }) > 0) exit = EXIT.failure;
    }
  } catch (error) {
    return refusedByState(error, io);
  }
  return exit;
}

function report(
  document: string,
  { process: subject, sources }: SoundDocument,
  { io, state }: { readonly io: CommandIo; readonly state: string | undefined },
): number {
  const recorded: readonly Diagnostic[] = state === undefined ? [] : lintResources(subject, state);
  const found = [...sources.slice(0, 1).flatMap(lintIndentation), ...lintDocument(subject), ...recorded];
  for (const finding of found) io.stdout.write(`${diagnosticText(finding, sources, io.cwd)}\n`);
  io.stdout.write(`${document}: ${found.length === 0 ? "nothing to improve" : countText(found.length, "finding")}\n`);
  return found.length;
}
