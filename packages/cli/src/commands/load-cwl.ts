import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import type { LoadedSource } from "@weft/cwl/document/document-reader.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { DEFAULT_DOWNLOADS } from "@weft/engine/files/remote/download-store.ts";
import { WebReader } from "@weft/engine/files/remote/web-reader.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { diagnosticText } from "../output/diagnostic-text.ts";
import type { PrintOptions } from "../output/print-problems.ts";
import { documentUri } from "./document-uri.ts";

/** A document without errors, ready to be described. */
export interface SoundDocument extends LoadedDocument {
  readonly process: Process;
}

/** Loads the document that a command line names. Prints its errors and returns the exit code if it has any. */
export async function loadCwl(document: string, io: CommandIo): Promise<SoundDocument | number> {
  const reader = new WebReader(diskReader, DEFAULT_DOWNLOADS);
  const loaded = await loadDocument(documentUri(document, io), { reader });
  const diagnostics = reader.explain(loaded.diagnostics).filter(({ severity }) => severity === "error");
  writeDiagnostics(diagnostics, loaded.sources, { io, isQuiet: true });
  const { process } = loaded;
  return process === undefined || diagnostics.length > 0 ? documentExit(diagnostics) : { ...loaded, process };
}

/** `isQuiet`: write errors only. */
export function writeDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: readonly LoadedSource[],
  { io, isQuiet }: PrintOptions,
): void {
  for (const diagnostic of diagnostics)
    if (!isQuiet || diagnostic.severity === "error") writeLine(io, diagnosticText(diagnostic, sources, io.cwd));
}

/** A document that requires an unsupported feature has a different exit code from an invalid one. */
export function documentExit(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(({ code }) => code.startsWith("unsupported"))
    ? EXIT.unsupported
    : EXIT.failure;
}
