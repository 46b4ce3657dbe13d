import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { loadDocument, type LoadedDocument } from "@weft/cwl/document/load-document.ts";
import type { LoadedSource } from "@weft/cwl/document/document-reader.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { DEFAULT_DOWNLOADS } from "@weft/engine/files/remote/download-store.ts";
import { WebReader } from "@weft/engine/files/remote/web-reader.ts";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import { diagnosticText } from "../output/diagnostic-text.ts";
import type { Settings } from "../settings/read-settings.ts";
import type { PrintOptions } from "../output/print-problems.ts";

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

/** A command that prints a text about the document that it names. */
export function printing(textOf: (loaded: SoundDocument, settings: Settings) => string) {
  return async (settings: Settings): Promise<number> => {
    const [document = ""] = settings.positionals;
    const loaded = await loadCwl(document, settings.io);
    if (typeof loaded === "number") return loaded;
    settings.io.stdout.write(textOf(loaded, settings));
    return EXIT.success;
  };
}

/** The URI of a document named on the command line: a path, a `file:` or web address, optionally followed by `#id`. */
export function documentUri(text: string, { cwd }: Pick<CommandIo, "cwd">): string {
  if (/^(?:file:|https?:\/\/)/i.test(text)) return text;
  const hash = existsSync(resolve(cwd, text)) ? -1 : text.lastIndexOf("#");
  const path = hash < 0 ? text : text.slice(0, hash);
  return pathToUri(resolve(cwd, path)) + (hash < 0 ? "" : text.slice(hash));
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
