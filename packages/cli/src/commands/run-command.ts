import { mkdir, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import type { DownloadSettings } from "@weft/engine/files/remote/download.ts";
import type { GivenDocument } from "@weft/engine/document/check-document.ts";
import type { DocumentSettings } from "@weft/engine/document/document-services.ts";
import { runDocument } from "@weft/engine/document/run-document.ts";
import type { DocumentResult, DocumentRun } from "@weft/engine/document/run-document.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import { createLog } from "../output/log-line.ts";
import { outputText } from "../output/output-text.ts";
import { createProgressLog } from "../output/progress-log.ts";
import type { Settings } from "../settings/read-settings.ts";
import { reportWrong, tellProblems, writeLine } from "../output/tell-problems.ts";
import type { Inputs } from "../output/tell-problems.ts";
import { UsageError } from "../exit/usage-error.ts";
import { loadGiven } from "./load-given.ts";
import { VERSION } from "./version.ts";

/** Runs one document as CWL runners do: output object on standard output, everything else on standard error. */
export async function runCommand(settings: Settings): Promise<number> {
  const given = await loadGiven(settings);
  if (given.kind === "done") return given.code;
  const { loaded, process, inputs } = given;
  const isQuiet = given.settings.isOn("quiet");
  const environment = await environmentOf(given.settings, given.downloads);
  const subject = { process, formats: formatKnowledge(loaded), ...givenBy(inputs) };
  if (given.settings.isOn("plan"))
    return (await import("./report-plan.ts")).reportPlan({ ...subject, ...environment }, inputs, {
      isQuiet,
      asJson: given.settings.isOn("json"),
    });
  const provenance = provenanceOf(given.settings, loaded);
  return report(await run({ ...subject, ...environment, provenance }, given.settings), inputs, isQuiet);
}

type Environment = Omit<DocumentSettings, "scratch">;

async function environmentOf(settings: Settings, downloadSettings: DownloadSettings): Promise<Environment> {
  const state = settings.text("state");
  return {
    version: VERSION,
    ...(await executionSettings(settings, "none")),
    downloads: state === undefined ? undefined : resolve(state, "downloads"),
    downloadSettings,
    log: createLog(process.stderr),
  };
}

/** Warnings are printed even with --quiet: a tool without its container may produce different results. */
function givenBy(inputs: Inputs): Pick<GivenDocument, "inputs" | "overrides" | "warn"> {
  const { values, requirements } = inputs.loaded;
  return { inputs: values, overrides: requirements, warn: (message) => writeLine(`weft: warning: ${message}`) };
}

type Begun = GivenDocument & Environment & Pick<DocumentRun, "provenance">;

async function run(begun: Begun, settings: Settings): Promise<DocumentResult> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  return runDocument({
    ...begun,
    outdir: await outdirOf(settings),
    scratch: await newScratch(settings.text("state")),
    onEvents: createProgressLog((line) => writeLine(line), settings.isOn("quiet")),
    signal: abort.signal,
  });
}

/** The folder for the outputs. Refuses a path at which no folder can be, before anything runs. */
async function outdirOf(settings: Settings): Promise<string> {
  const outdir = resolve(settings.text("outdir") ?? ".");
  const found = await stat(outdir).catch(({ code }: NodeJS.ErrnoException) => code);
  const isFile = typeof found === "object" ? !found.isDirectory() : found === "ENOTDIR";
  if (isFile) throw new UsageError(`--outdir: ${outdir} is a file or is inside one; choose a folder`);
  return outdir;
}

function provenanceOf(settings: Settings, loaded: LoadedDocument): DocumentRun["provenance"] {
  const folder = settings.text("provenance");
  const sidecars = settings.isOn("sidecar");
  if (folder === undefined && !sidecars) return undefined;
  const document = JSON.stringify(packDocument(loaded));
  return { document, folder: folder === undefined ? undefined : resolve(folder), sidecars };
}

async function newScratch(state: string | undefined): Promise<string> {
  const folder = resolve(state ?? tmpdir());
  await mkdir(folder, { recursive: true });
  return mkdtemp(join(folder, "weft-run-"));
}

function report(result: DocumentResult, inputs: Inputs, isQuiet: boolean): number {
  tellProblems(result.problems, inputs, isQuiet);
  if (result.kind !== "ended") return reportWrong(result);
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
