import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { EXIT } from "./exit-codes.ts";
import { documentUri } from "./document-uri.ts";
import { readSettings } from "./read-settings.ts";
import { UsageError } from "./usage-error.ts";

/** Checks documents; 1 when any has an error. */
export async function validateCommand(args: readonly string[]): Promise<number> {
  const { positionals } = readSettings(args, {});
  if (positionals.length === 0) throw new UsageError("validate needs at least one document");
  let wrong = false;
  for (const document of positionals) {
    const { diagnostics, process: loaded, sources } = await loadDocument(documentUri(document), { reader: diskReader });
    for (const diagnostic of diagnostics) process.stdout.write(`${diagnosticText(diagnostic, sources)}\n`);
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    if (errors === 0 && loaded !== undefined) process.stdout.write(`${document}: ${loaded.class} is valid\n`);
    else wrong = true;
  }
  return wrong ? EXIT.failure : EXIT.success;
}
