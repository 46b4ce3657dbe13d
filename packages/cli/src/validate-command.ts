import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { Severity } from "@weft/cwl/diagnostic.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { EXIT } from "./exit-codes.ts";
import { documentUri } from "./document-uri.ts";
import { readSettings } from "./read-settings.ts";
import { UsageError } from "./usage-error.ts";

/** Checks documents, each with all that is wrong and one line that sums it up; 1 when any has an error. */
export async function validateCommand(args: readonly string[]): Promise<number> {
  const { positionals } = readSettings(args, {});
  if (positionals.length === 0) throw new UsageError("validate needs at least one document");
  let wrong = false;
  for (const document of positionals) if (!(await isValid(document))) wrong = true;
  return wrong ? EXIT.failure : EXIT.success;
}

async function isValid(document: string): Promise<boolean> {
  const { diagnostics, process: loaded, sources } = await loadDocument(documentUri(document), { reader: diskReader });
  for (const diagnostic of diagnostics) process.stdout.write(`${diagnosticText(diagnostic, sources)}\n`);
  const count = (wanted: Severity) => diagnostics.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const valid = errors === 0 && loaded !== undefined;
  const verdict = valid ? `${loaded.class} is valid` : `not valid, ${plural(errors, "error")}`;
  const noted = warnings === 0 ? "" : `${valid ? ", with" : " and"} ${plural(warnings, "warning")}`;
  process.stdout.write(`${document}: ${verdict}${noted}\n`);
  return valid;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
