import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { loadDocument, type LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { resolveReference } from "@weft/cwl/values/resolve-reference.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { ANY_HOST } from "@weft/engine/files/remote/http-policy.ts";
import { WebReader } from "@weft/engine/files/remote/web-reader.ts";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { flagKind, inputFlags, type InputFlag } from "../inputs/input-flags.ts";
import type { Inputs } from "../output/print-problems.ts";
import { downloadSettings } from "../settings/execution-settings.ts";
import { DOWNLOAD_FLAGS } from "../settings/flags.ts";
import type { Settings } from "../settings/read-settings.ts";
import { splitWords } from "../settings/split-words.ts";
import { documentExit, documentUri, writeDiagnostics, type SoundDocument } from "./load-cwl.ts";
import { selectPart } from "./select-part.ts";
import { fetchTrsDocument } from "./trs-document.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { overrideRequirements, type RequirementOverrides } from "@weft/cwl/model/override-requirements.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shellWord } from "@weft/shared/records/shell-line.ts";
import { buffer as readAll } from "node:stream/consumers";
import { decodeUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isRecord } from "@weft/cwl/values/value-kind.ts";
import { readInputFlags } from "../inputs/read-input-flags.ts";

/** The document and inputs that a command line names. */
export interface GivenRun {
  /** Settings including the flags that followed the document. */
  readonly settings: Settings;
  readonly loaded: SoundDocument;
  readonly inputs: Inputs;
}

/**
 * Loads the document, and the inputs from an input object and from flags. Prints their problems. A number is the exit
 * code after help or problems were printed.
 */
export async function loadGiven(commandSettings: Settings): Promise<GivenRun | number> {
  const { io } = commandSettings;
  const [reference = "", ...words] = commandSettings.positionals;
  const downloads = downloadSettings(commandSettings.with(splitWords(words, DOWNLOAD_FLAGS).flags), ANY_HOST);
  const reader = new WebReader(diskReader, downloads);
  const fetched = await fetchTrsDocument(reference, downloads, io);
  if (fetched !== undefined) writeLine(io, `weft: ${fetched.address.text}#${fetched.digest}`);
  const document = await loadNamed(fetched?.document ?? reference, reader, io);
  const { settings, subject, flags, others } = readWords(words, commandSettings, document.loaded.process);
  if (settings.isOn("json") && !settings.isOn("plan")) throw new UsageError("--json requires --plan");
  let reading: Promise<Inputs> | undefined;
  const given = { words: others, flags, file: document.file, baseFolder: settings.path("basedir"), io };
  const read = (): Promise<Inputs> => (reading ??= loadInputs(given, reader));
  const printOptions = { io, isQuiet: settings.isOn("quiet") };
  const loaded = await withGrantedScripts(relaxed(document.loaded, settings), read);
  writeDiagnostics(reader.explain(loaded.diagnostics), loaded.sources, printOptions);
  if (subject === undefined || hasError(loaded)) return documentExit(loaded.diagnostics);
  const part = { ...loaded, process: subject };
  if (others.some((word) => word === "--help" || word === "-h")) return printHelp(part, reference, io);
  const inputs = await read();
  writeDiagnostics(reader.explain(inputs.loaded.diagnostics), inputs.loaded.sources, printOptions);
  if (hasError(inputs.loaded)) return EXIT.failure;
  const process = await adjustProcess(subject, inputs.loaded.overrides, settings);
  return process === undefined ? EXIT.failure : { settings, loaded: { ...part, process }, inputs };
}

/** Prints the help page of a document. */
async function printHelp(
  { process, sources }: SoundDocument,
  document: string,
  { stdout, cwd }: CommandIo,
): Promise<number> {
  // Loaded only for help, so that runs start fast.
  const { documentHelp } = await import("../inputs/document-help.ts");
  const examples = await examplesOf(sources[0]?.uri ?? "");
  const [first] = examples;
  const { values } =
    first === undefined ? { values: {} } : await loadInputObject(pathToUri(first), { reader: diskReader });
  const page = documentHelp({
    process,
    command: `weft run ${shellWord(document)}`,
    examples: examples.map((path) => shellWord(relative(cwd, path))),
    values,
    cwd,
  });
  stdout.write(`${page}\n`);
  return EXIT.success;
}

/** Input objects in `examples/` next to a document, as in a catalog. */
async function examplesOf(uri: string): Promise<readonly string[]> {
  if (!uri.startsWith("file:")) return [];
  const folder = join(dirname(fileURLToPath(uri)), "examples");
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

/** An input object may add the InlineJavascriptRequirement that the document lacks. */
async function withGrantedScripts(loaded: LoadedDocument, read: () => Promise<Inputs>): Promise<LoadedDocument> {
  const needsScripts = ({ code }: Diagnostic): boolean => code === "javascript-needed";
  if (!loaded.diagnostics.some(needsScripts)) return loaded;
  const { requirements, overrides } = (await read()).loaded;
  const grants = [...requirements, ...[...overrides.values()].flat()];
  if (!grants.some((one) => one.class === "InlineJavascriptRequirement")) return loaded;
  return { ...loaded, diagnostics: loaded.diagnostics.filter((found) => !needsScripts(found)) };
}

interface ReadWords {
  readonly settings: Settings;
  /** The process, or the part of it that the settings name. */
  readonly subject: Process | undefined;
  readonly flags: readonly InputFlag[];
  /** The input object, and flags of inputs. */
  readonly others: readonly string[];
}

/**
 * Separates inputs from other words. The other words may select a part of the document, which determines the inputs.
 */
function readWords(words: readonly string[], commandSettings: Settings, process: Process | undefined): ReadWords {
  const splitFor = (subject: Process | undefined) => {
    const flags = inputFlags(subject?.inputs ?? []);
    return { flags, split: splitWords(words, commandSettings.options, (name) => flagKind(flags, name)) };
  };
  const settings = commandSettings.with(splitFor(process).split.flags);
  const subject = process === undefined ? undefined : selectPart(process, settings);
  const { flags, split } = splitFor(subject);
  return { settings: commandSettings.with(split.flags), subject, flags, others: split.others };
}

/** `--non-strict`: unknown fields are warnings; `--skip-schemas`: no ontologies. */
function relaxed(loaded: LoadedDocument, settings: Settings): LoadedDocument {
  const isStrict = !settings.isOn("non-strict");
  const skips = settings.isOn("skip-schemas");
  const diagnostics = loaded.diagnostics
    .filter(({ code }) => !skips || code !== "unreadable-schema")
    .map((found) => (isStrict || found.code !== "unknown-field" ? found : { ...found, severity: "warning" as const }));
  return { ...loaded, diagnostics, schemas: skips ? [] : loaded.schemas };
}

interface NamedDocument {
  readonly loaded: LoadedDocument;
  /** The input object, if it names the document (`cwl:tool`). */
  readonly file: string | undefined;
}

async function loadNamed(reference: string, reader: WebReader, io: CommandIo): Promise<NamedDocument> {
  const uri = documentUri(reference, io);
  const loaded = await loadDocument(uri, { reader });
  if (loaded.process !== undefined) return { loaded, file: undefined };
  const { tool } = await loadInputObject(uri, { reader });
  const document = tool === undefined ? undefined : resolveReference(tool, uri);
  if (document === undefined) return { loaded, file: undefined };
  return { loaded: await loadDocument(document, { reader }), file: reference };
}

function hasError({ diagnostics }: Pick<LoadedDocument, "diagnostics">): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** The process plus the requirements that the command line and the input object add. Undefined after printing errors. */
async function adjustProcess(
  process: Process,
  fromInputs: RequirementOverrides,
  settings: Settings,
): Promise<Process | undefined> {
  const file = settings.path("overrides");
  const fromFile =
    file === undefined ? new Map<string, readonly Requirement[]>() : await loadOverrides(file, settings.io);
  if (fromFile === undefined) return undefined;
  const overridden = overrideRequirements(process, new Map([...fromInputs, ...fromFile]));
  return { ...overridden, hints: [...hintsOf(settings, overridden), ...overridden.hints] };
}

async function loadOverrides(file: string, io: CommandIo): Promise<RequirementOverrides | undefined> {
  const uri = pathToUri(file);
  const { overrides, diagnostics, sources } = await loadInputObject(uri, { reader: diskReader });
  writeDiagnostics(diagnostics, sources, { io, isQuiet: true });
  return hasError({ diagnostics }) ? undefined : overrides;
}

/** Hints of the outermost process apply wherever an inner one does not replace them. */
function hintsOf(settings: Settings, { requirements, hints }: Process): readonly Requirement[] {
  const image = settings.text("default-container");
  const names = settings.list("preserve-environment");
  const isFree = (name: Requirement["class"]) => ![...requirements, ...hints].some((one) => one.class === name);
  const found: Requirement[] = [];
  if (image !== undefined && isFree("DockerRequirement")) found.push({ class: "DockerRequirement", dockerPull: image });
  if (names.length > 0 && isFree("EnvVarRequirement"))
    found.push({ class: "EnvVarRequirement", envDef: envDef(names, settings.io) });
  return found;
}

/** Escapes values, because they are text even if they look like expressions. */
function envDef(names: readonly string[], { env }: CommandIo) {
  return names.flatMap((envName) => {
    const value = env[envName];
    return value === undefined ? [] : [{ envName, envValue: value.replaceAll(/\\|\$(?=[({])/g, "\\$&") }];
  });
}

interface GivenWords {
  /** The input object, and flags of inputs. */
  readonly words: readonly string[];
  readonly flags: readonly InputFlag[];
  /** The input object that named the document. */
  readonly file: string | undefined;
  /** Base of relative file paths; absent: the folder of the input object, and for flags the current folder. */
  readonly baseFolder: string | undefined;
  readonly io: Pick<CommandIo, "stdin" | "cwd">;
}

/** The inputs of an input object, `-` for standard input, and of flags, which take precedence. Throws UsageError. */
async function loadInputs(source: GivenWords, reader: DocumentReader): Promise<Inputs> {
  const { baseFolder, io } = source;
  const folder = resolve(io.cwd, baseFolder ?? ".");
  const { values, words } = await readInputFlags(source.words, source.flags, {
    baseUri: `${pathToUri(folder)}/`,
    addressOf: (text) => (isAddress(text) ? text : pathToUri(resolve(folder, text))),
    exists: (text) => isAddress(text) || existsSync(resolve(folder, text)),
  });
  const [file, ...more] = [...(source.file === undefined ? [] : [source.file]), ...words];
  if (more.length > 0) throw new UsageError(`only one input object is allowed, not also ${more.join(" ")}`);
  if (file === undefined) return { loaded: { ...NOTHING, values }, uri: undefined };
  const { uri, reader: own } = await readerFor(file, source, reader);
  const loaded = await loadInputObject(uri, { reader: own });
  return { loaded: { ...loaded, values: merged(loaded.values, values) }, uri };
}

const NOTHING = { requirements: [], overrides: new Map(), diagnostics: [], sources: [] };

/** With another base, the input object is read as if it were a file in that folder. */
async function readerFor(file: string, { baseFolder, io }: GivenWords, reader: DocumentReader) {
  const address = isAddress(file) ? file : pathToUri(resolve(io.cwd, file));
  if (file !== "-" && baseFolder === undefined) return { uri: address, reader };
  const bytes = file === "-" ? await readAll(io.stdin) : undefined;
  const own = async () => (bytes === undefined ? reader.read(address) : decodeUtf8(bytes));
  const uri = pathToUri(resolve(io.cwd, baseFolder ?? ".", basename(file)));
  const read = async (requested: string) => (requested === uri ? own() : reader.read(requested));
  return { uri, reader: { read } };
}

function isAddress(text: string): boolean {
  return /^(?:file|https?):\/\//i.test(text);
}

/** Fields of a record that flags give (`--sample.name`) join those of the input object. */
function merged(base: CwlObject, overrides: CwlObject): CwlObject {
  const values: { [name: string]: CwlValue } = Object.assign(Object.create(null), base);
  for (const [name, value] of Object.entries(overrides)) {
    const before = values[name];
    values[name] = isRecord(before) && isRecord(value) ? merged(before, value) : value;
  }
  return values;
}
