import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { locatePointer } from "@weft/cwl/document/locate-pointer.ts";
import type { InputProblem } from "@weft/cwl/files/input-problem.ts";
import type { ContainerSetting } from "@weft/shared/records/container-record.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { DownloadSettings } from "@weft/engine/files/remote/download.ts";
import { ANY_HOST } from "@weft/engine/files/remote/http-policy.ts";
import { WebReader } from "@weft/engine/files/remote/web-reader.ts";
import { runDocument } from "@weft/engine/run/run-document.ts";
import type { DocumentResult, DocumentRun } from "@weft/engine/run/run-document.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { documentUri } from "./document-uri.ts";
import { DOWNLOAD_FLAGS, downloadSettings } from "./download-settings.ts";
import { EXIT } from "./exit-codes.ts";
import { CONTAINER_FLAGS, containerSetting } from "./container-setting.ts";
import { createLog } from "./log-line.ts";
import { outputText } from "./output-text.ts";
import { createProgressLog } from "./progress-log.ts";
import { readSettings } from "./read-settings.ts";
import { UsageError } from "./usage-error.ts";

const FLAGS = {
  outdir: { type: "string" },
  quiet: { type: "boolean" },
  jobs: { type: "string" },
  ...CONTAINER_FLAGS,
  state: { type: "string" },
  "eval-timeout": { type: "string" },
  ...DOWNLOAD_FLAGS,
} as const;

interface Inputs {
  readonly loaded: Awaited<ReturnType<typeof loadInputObject>>;
  readonly uri: string | undefined;
}

/** Runs one document as CWL runners do: output object on standard output, everything else on standard error. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const settings = readSettings(args, FLAGS);
  const [document, inputsFile, ...more] = settings.positionals;
  if (document === undefined || more.length > 0)
    throw new UsageError("run needs a document and at most one file of inputs");
  const downloads = downloadSettings(settings, ANY_HOST);
  const reader = new WebReader(diskReader, downloads);
  const loaded = await loadDocument(documentUri(document), { reader });
  const inputs = await loadInputs(inputsFile, reader);
  const diagnostics = reader.explain([...loaded.diagnostics, ...inputs.loaded.diagnostics]);
  const sources = [...loaded.sources, ...inputs.loaded.sources];
  const isQuiet = settings.isOn("quiet");
  for (const diagnostic of diagnostics)
    if (!isQuiet || diagnostic.severity === "error") writeLine(diagnosticText(diagnostic, sources));
  if (loaded.process === undefined || diagnostics.some(({ severity }) => severity === "error"))
    return documentExit(loaded);
  const result = await run({ process: loaded.process, formats: formatKnowledge(loaded) }, inputs, {
    isQuiet,
    outdir: settings.text("outdir"),
    state: settings.text("state"),
    jobs: settings.count("jobs", 1),
    container: containerSetting(settings),
    evalTimeoutMs: settings.seconds("eval-timeout"),
    downloads,
  });
  return report(result, inputs, isQuiet);
}

async function loadInputs(file: string | undefined, reader: DocumentReader): Promise<Inputs> {
  if (file === undefined)
    return { loaded: { values: {}, requirements: [], diagnostics: [], sources: [] }, uri: undefined };
  const uri = /^https?:\/\//i.test(file) ? file : pathToFileURL(resolve(file)).href;
  return { loaded: await loadInputObject(uri, { reader }), uri };
}

/** A document that asks for what Weft does not have is told apart from a wrong one. */
function documentExit(loaded: LoadedDocument): number {
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(({ code }) => code.startsWith("unsupported"))
    ? EXIT.unsupported
    : EXIT.failure;
}

interface RunSettings {
  readonly isQuiet: boolean;
  readonly outdir: string | undefined;
  readonly state: string | undefined;
  readonly jobs: number | undefined;
  readonly container: ContainerSetting;
  readonly evalTimeoutMs: number | undefined;
  readonly downloads: DownloadSettings;
}

type RunnableDocument = Pick<DocumentRun, "process" | "formats">;

async function run(document: RunnableDocument, inputs: Inputs, settings: RunSettings): Promise<DocumentResult> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  return runDocument({
    ...document,
    inputs: inputs.loaded.values,
    overrides: inputs.loaded.requirements,
    outdir: resolve(settings.outdir ?? "."),
    scratch: await newScratch(settings.state),
    jobs: settings.jobs,
    container: settings.container,
    evalTimeoutMs: settings.evalTimeoutMs,
    downloads: settings.state === undefined ? undefined : resolve(settings.state, "downloads"),
    downloadSettings: settings.downloads,
    log: createLog(process.stderr),
    // Told also where little is to be told: what runs without its container may give other results.
    warn: (message) => writeLine(`weft: warning: ${message}`),
    onEvents: createProgressLog((line) => writeLine(line), settings.isQuiet),
    signal: abort.signal,
  });
}

async function newScratch(state: string | undefined): Promise<string> {
  const folder = resolve(state ?? tmpdir());
  await mkdir(folder, { recursive: true });
  return mkdtemp(join(folder, "weft-run-"));
}

function report(result: DocumentResult, inputs: Inputs, isQuiet: boolean): number {
  const problems = result.problems.filter(({ severity }) => !isQuiet || severity === "error");
  for (const problem of problems) writeLine(problemText(problem, inputs));
  if (result.kind === "wrong-inputs") return EXIT.failure;
  if (result.kind === "refused") {
    writeLine(`weft: ${result.message}`);
    writeLine(`  hint: ${result.hint}`);
    return EXIT.unsupported;
  }
  if (result.state !== "COMPLETE" || result.outputs === undefined) {
    writeLine(`weft: ${result.reason?.message ?? "the run failed"}`);
    if (result.reason?.hint !== undefined) writeLine(`  hint: ${result.reason.hint}`);
    return result.state === "CANCELED"
      ? EXIT.interrupted
      : result.reason?.code === "ENGINE"
        ? EXIT.unsupported
        : EXIT.failure;
  }
  process.stdout.write(`${outputText(result.outputs)}\n`);
  return EXIT.success;
}

/** A problem of the inputs at its place in their file, where there is one. */
function problemText(problem: InputProblem, { uri, loaded }: Inputs): string {
  const source = loaded.sources.find((candidate) => candidate.uri === uri);
  const place = source === undefined ? undefined : locatePointer(source.text, problem.pointer);
  if (source === undefined || place === undefined)
    return `weft: ${problem.severity}: input ${problem.pointer}: ${problem.message}`;
  const { severity, code, message, hint } = problem;
  return diagnosticText(
    { severity, code, message, file: source.uri, ...place, ...(hint === undefined ? {} : { hint }) },
    loaded.sources,
  );
}

function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
