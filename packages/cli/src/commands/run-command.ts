import { mkdir, mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import type { DownloadSettings } from "@weft/engine/files/remote/download.ts";
import type { GivenDocument } from "@weft/engine/document/check-document.ts";
import type { DocumentSettings } from "@weft/engine/document/document-services.ts";
import { runDocument } from "@weft/engine/document/run-document.ts";
import type { DocumentResult, DocumentRun, RunView } from "@weft/engine/document/run-document.ts";
import { abortOnSignals, writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import { createLog } from "../output/log-line.ts";
import { outputText } from "../output/output-text.ts";
import { createProgressLog } from "../output/progress-log.ts";
import type { Detail } from "../output/progress-log.ts";
import type { Settings } from "../settings/read-settings.ts";
import { reportWrong, printProblems } from "../output/print-problems.ts";
import type { Inputs } from "../output/print-problems.ts";
import { UsageError } from "../exit/usage-error.ts";
import { loadGiven } from "./load-given.ts";
import { VERSION } from "../settings/version.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { LiveView } from "../output/live-view.ts";
import type { Terminal } from "../output/live-view.ts";

/** Runs one document as CWL runners do: output object on standard output, everything else on standard error. */
export async function runCommand(settings: Settings): Promise<number> {
  const request = await loadGiven(settings);
  if (request.kind === "done") return request.code;
  const { loaded, process, inputs } = request;
  const { io } = request.settings;
  const isQuiet = request.settings.isOn("quiet");
  const environment = await environmentOf(request.settings, request.downloads);
  const subject = { process, formats: formatKnowledge(loaded), ...givenBy(inputs, io) };
  if (request.settings.isOn("plan"))
    return (await import("./report-plan.ts")).reportPlan({ ...subject, ...environment }, inputs, {
      io,
      isQuiet,
      asJson: request.settings.isOn("json"),
    });
  const provenance = provenanceOf(request.settings, loaded);
  const result = await run({ ...subject, ...environment, provenance }, request.settings);
  return report(result, inputs, { io, isQuiet, summary: request.settings.path("write-summary") });
}

type Environment = Omit<DocumentSettings, "scratch">;

async function environmentOf(settings: Settings, downloadSettings: DownloadSettings): Promise<Environment> {
  const state = settings.path("state");
  return {
    version: VERSION,
    ...(await executionSettings(settings, "none")),
    downloads: state === undefined ? undefined : join(state, "downloads"),
    downloadSettings,
    log: createLog(settings.io.stderr),
  };
}

/** Warnings are printed even with --quiet: a tool without its container may produce different results. */
function givenBy(inputs: Inputs, io: CommandIo): Pick<GivenDocument, "inputs" | "overrides" | "warn"> {
  const { values, requirements } = inputs.loaded;
  return { inputs: values, overrides: requirements, warn: (message) => writeLine(io, `weft: warning: ${message}`) };
}

type PreparedRun = GivenDocument & Environment & Pick<DocumentRun, "provenance">;

async function run(prepared: PreparedRun, settings: Settings): Promise<DocumentResult> {
  const progress = followRun(settings);
  const stop = abortOnSignals(settings.io);
  const [outdir, scratch] = [await outdirOf(settings), await newScratch(settings)];
  try {
    return await runDocument({
      ...prepared,
      outdir,
      scratch,
      onFailure: onFailure(settings),
      keepScratch: settings.isOn("leave-tmpdir"),
      onEvents: progress.onEvents,
      signal: stop,
    });
  } finally {
    await progress.finish();
    if (settings.isOn("leave-tmpdir")) writeLine(settings.io, `weft: the temporary folder is ${scratch}`);
  }
}

/** Shows a live view in a terminal; otherwise, and with --quiet or --debug, prints lines. */
function followRun(settings: Settings): Progress {
  const detail = detailOf(settings);
  const { stderr, env } = settings.io;
  if (detail === "normal" && stderr.isTTY === true && env["TERM"] !== "dumb")
    return createLiveProgress(stderr, { hasColor: (env["NO_COLOR"] ?? "") === "", nowMs: Date.now });
  return { onEvents: createProgressLog((line) => writeLine(settings.io, line), detail), finish: async () => {} };
}

/** The folder for the outputs. Refuses a path at which no folder can be, before anything runs. */
async function outdirOf(settings: Settings): Promise<string> {
  const outdir = settings.path("outdir") ?? settings.io.cwd;
  const found = await stat(outdir).catch(({ code }: NodeJS.ErrnoException) => code);
  const isFile = typeof found === "object" ? !found.isDirectory() : found === "ENOTDIR";
  if (isFile) throw new UsageError(`--outdir: ${outdir} is a file or is inside one; choose a folder`);
  return outdir;
}

function provenanceOf(settings: Settings, loaded: LoadedDocument): DocumentRun["provenance"] {
  const folder = settings.path("provenance");
  const sidecars = settings.isOn("sidecar");
  if (folder === undefined && !sidecars) return undefined;
  const document = JSON.stringify(packDocument(loaded));
  return { document, folder, sidecars };
}

async function newScratch(settings: Settings): Promise<string> {
  const path = scratchPrefix(settings);
  await mkdir(dirname(path), { recursive: true });
  return mkdtemp(path);
}

/** A prefix with a trailing slash names a folder. */
function scratchPrefix(settings: Settings): string {
  const prefix = settings.text("tmpdir-prefix");
  if (prefix === undefined) return join(settings.path("state") ?? tmpdir(), "weft-run-");
  return prefix.endsWith("/") ? join(settings.resolve(prefix), "weft-run-") : settings.resolve(prefix);
}

function detailOf(settings: Settings): Detail {
  if (settings.isOn("quiet")) return "quiet";
  return settings.isOn("debug") ? "debug" : "normal";
}

/** The effect of a failed step on other steps. */
function onFailure(settings: Settings): DocumentRun["onFailure"] {
  const text = settings.text("on-error") ?? "stop";
  if (text !== "stop" && text !== "continue")
    throw new UsageError(`--on-error must be stop or continue, not "${text}"`);
  return text === "stop" ? "finish_running" : "continue";
}

interface Reporting {
  readonly io: CommandIo;
  readonly isQuiet: boolean;
  /** The file for the output object; absent: standard output. */
  readonly summary: string | undefined;
}

async function report(result: DocumentResult, inputs: Inputs, { io, isQuiet, summary }: Reporting): Promise<number> {
  printProblems(result.problems, inputs, { io, isQuiet });
  if (result.kind !== "ended") return reportWrong(result, io);
  if (result.state !== "COMPLETE" || result.outputs === undefined) {
    writeLine(io, `weft: ${result.reason?.message ?? "the run failed"}`);
    if (result.reason?.hint !== undefined) writeLine(io, `  hint: ${result.reason.hint}`);
    return result.state === "CANCELED"
      ? EXIT.interrupted
      : result.reason?.code === "ENGINE"
        ? EXIT.unsupported
        : EXIT.failure;
  }
  const text = `${outputText(result.outputs)}\n`;
  if (summary === undefined) io.stdout.write(text);
  else await writeFile(summary, text);
  return EXIT.success;
}

/** Follows a run for the user who started it. */
interface Progress {
  readonly onEvents: (events: readonly WeftEvent[], view: RunView) => void;
  /** Resolves when everything has been written. */
  readonly finish: () => Promise<void>;
}

interface LiveOptions {
  readonly hasColor: boolean;
  readonly nowMs: () => number;
}

/** A live view of the run. Retries and downloads are lines above it; failures follow it. */
function createLiveProgress(terminal: Terminal, options: LiveOptions): Progress {
  let view: LiveView | undefined;
  let closed = Promise.resolve();
  const lines: string[] = [];
  const failures = createProgressLog((line) => lines.push(line), "quiet");
  return {
    onEvents: (events, run) => {
      view ??= new LiveView(terminal, { ...options, look: () => run.look() });
      view.start();
      for (const event of events) {
        const line = notable(event);
        if (line !== undefined) view.log(line);
        // The state must be read now: the log closes with the run.
        if (event.type === "run.ended") closed = view.close();
      }
      failures(events, run);
    },
    finish: async () => {
      await closed;
      for (const line of lines) terminal.write(`${line}\n`);
    },
  };
}

/** Events that the view itself does not show. */
function notable(event: WeftEvent): string | undefined {
  if (event.type === "job.retrying") return `${event.job_id} ${event.data.waiting.message}`;
  if (event.type === "job.image") return `${event.job_id} waits for the container image ${event.data.image}`;
  return event.type === "run.fetching" || event.type === "job.fetching" ? event.data.reason.message : undefined;
}
