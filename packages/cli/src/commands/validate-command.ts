import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { Severity } from "@weft/cwl/diagnostic.ts";
import { loadDocument, type LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { NO_MAIN } from "@weft/cwl/document/process/read-document.ts";
import { DEFAULT_DOWNLOADS } from "@weft/engine/files/remote/download-store.ts";
import { WebReader } from "@weft/engine/files/remote/web-reader.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { diagnosticText } from "../output/diagnostic-text.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import { documentUri } from "./load-cwl.ts";
import { fetchTrsDocument } from "./trs-document.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Checks documents; prints all problems of each and a one-line summary. Exits with 1 if any has an error. */
export async function validateCommand({ io, positionals }: Settings): Promise<number> {
  let wrong = false;
  const reader = new WebReader(diskReader, DEFAULT_DOWNLOADS);
  for (const document of positionals) if (!(await isValid(document, reader, io))) wrong = true;
  return wrong ? EXIT.failure : EXIT.success;
}

async function isValid(document: string, reader: WebReader, io: CommandIo): Promise<boolean> {
  const { sources, found, ...checked } = await check(document, reader, io);
  const diagnostics = reader.explain(checked.diagnostics);
  for (const diagnostic of diagnostics) io.stdout.write(`${diagnosticText(diagnostic, sources, io.cwd)}\n`);
  const count = (level: Severity) => diagnostics.filter(({ severity }) => severity === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const valid = errors === 0 && found !== undefined;
  const verdict = valid ? `${found} valid` : `not valid, ${countText(errors, "error")}`;
  const noted = warnings === 0 ? "" : `${valid ? ", with" : " and"} ${countText(warnings, "warning")}`;
  io.stdout.write(`${document}: ${verdict}${noted}\n`);
  return valid;
}

interface Checked extends Pick<LoadedDocument, "diagnostics" | "sources"> {
  /** Summary of the document; undefined if nothing could be read. */
  readonly found: string | undefined;
}

/** A document that is a library has no main process, so all of its processes are checked. */
async function check(document: string, reader: WebReader, io: CommandIo): Promise<Checked> {
  const fetched = await fetchTrsDocument(document, DEFAULT_DOWNLOADS, io);
  const uri = documentUri(fetched?.document ?? document, io);
  const loaded = await loadDocument(uri, { reader });
  if (!loaded.diagnostics.some(({ code }) => code === NO_MAIN))
    return { ...loaded, found: loaded.process === undefined ? undefined : `${loaded.process.class} is` };
  const { diagnostics, sources, members } = await loadDocument(uri, { reader, checksMembers: true });
  const found = `all ${members.length} processes are`;
  return { sources, diagnostics: diagnostics.filter(({ code }) => code !== NO_MAIN), found };
}
