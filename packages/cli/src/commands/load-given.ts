import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { resolveReference } from "@weft/cwl/document/resolve-reference.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { DownloadSettings } from "@weft/engine/files/remote/download.ts";
import { ANY_HOST } from "@weft/engine/files/remote/http-policy.ts";
import { WebReader } from "@weft/engine/files/remote/web-reader.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import { flagKind, inputFlags } from "../inputs/input-flags.ts";
import type { Inputs } from "../output/tell-problems.ts";
import { downloadSettings } from "../settings/download-settings.ts";
import { DOWNLOAD_FLAGS } from "../settings/flags.ts";
import type { Settings } from "../settings/read-settings.ts";
import { splitWords } from "../settings/split-words.ts";
import { documentUri } from "./document-uri.ts";
import { documentExit, writeDiagnostics } from "./load-cwl.ts";
import { loadInputs } from "./load-inputs.ts";

/** A document and its inputs as a command line names them. */
export interface GivenRun {
  readonly kind: "given";
  /** With the flags that followed the document. */
  readonly settings: Settings;
  readonly downloads: DownloadSettings;
  readonly loaded: LoadedDocument;
  readonly process: Process;
  readonly inputs: Inputs;
}

/** Help was printed, or what is wrong. */
interface Done {
  readonly kind: "done";
  readonly code: number;
}

/** Loads the document, and the inputs from an input object and from flags. Prints what is wrong with them. */
export async function loadGiven(settings: Settings): Promise<GivenRun | Done> {
  const [named = "", ...words] = settings.positionals;
  const downloads = downloadSettings(settings.with(splitWords(words, DOWNLOAD_FLAGS).flags), ANY_HOST);
  const reader = new WebReader(diskReader, downloads);
  const { loaded, file } = await loadNamed(named, reader);
  const flags = inputFlags(loaded.process?.inputs ?? []);
  const split = splitWords(words, settings.options, (name) => flagKind(flags, name));
  const all = settings.with(split.flags);
  if (all.isOn("json") && !all.isOn("plan")) throw new UsageError("--json requires --plan");
  const { process } = loaded;
  writeDiagnostics(reader.explain(loaded.diagnostics), loaded.sources, all.isOn("quiet"));
  if (process === undefined || hasError(loaded)) return { kind: "done", code: documentExit(loaded.diagnostics) };
  if (split.others.some((word) => word === "--help" || word === "-h"))
    return { kind: "done", code: await (await import("./tell-document.ts")).tellHelp(loaded, named) };
  const inputs = await loadInputs({ words: split.others, flags, file, baseFolder: all.text("basedir") }, reader);
  writeDiagnostics(reader.explain(inputs.loaded.diagnostics), inputs.loaded.sources, all.isOn("quiet"));
  if (hasError(inputs.loaded)) return { kind: "done", code: EXIT.failure };
  return { kind: "given", settings: all, downloads, loaded, process, inputs };
}

interface NamedDocument {
  readonly loaded: LoadedDocument;
  /** The input object, where it names the document (`cwl:tool`). */
  readonly file: string | undefined;
}

async function loadNamed(named: string, reader: WebReader): Promise<NamedDocument> {
  const uri = documentUri(named);
  const loaded = await loadDocument(uri, { reader });
  if (loaded.process !== undefined) return { loaded, file: undefined };
  const { tool } = await loadInputObject(uri, { reader });
  const document = tool === undefined ? undefined : resolveReference(tool, uri);
  if (document === undefined) return { loaded, file: undefined };
  return { loaded: await loadDocument(document, { reader }), file: named };
}

function hasError({ diagnostics }: Pick<LoadedDocument, "diagnostics">): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
