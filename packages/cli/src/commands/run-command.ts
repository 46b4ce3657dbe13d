import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import type { GivenDocument } from "@weft/engine/document/check-document.ts";
import type { DocumentSettings } from "@weft/engine/document/document-services.ts";
import {
  runDocument,
  type DocumentResult,
  type DocumentRun,
  type RunView,
} from "@weft/engine/document/run-document.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { EXIT } from "../exit/exit.ts";
import { abortOnSignals, writeLine } from "../io/command-io.ts";
import { LiveView, type Terminal } from "../output/live-view.ts";
import { createLog } from "../output/log-line.ts";
import { outputText } from "../output/output-text.ts";
import { printProblems, reportWrong, type Inputs } from "../output/print-problems.ts";
import { createProgressLog, type Detail } from "../output/progress-log.ts";
import { checkWritable } from "../settings/data-folders.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import { oneOf, type Settings } from "../settings/read-settings.ts";
import { loadGiven } from "./load-given.ts";

/** A document with its inputs, and how it runs. */
export type PreparedDocument = GivenDocument & Omit<DocumentSettings, "scratch">;

/** Runs one document as CWL runners do: output object on standard output, everything else on standard error. */
export async function runCommand(commandSettings: Settings): Promise<number> {
  const given = await loadGiven(commandSettings);
  if (typeof given === "number") return given;
  const { settings, loaded, inputs } = given;
  const { io } = settings;
  const state = settings.path("state");
  const prepared: PreparedDocument = {
    ...(await executionSettings(settings, "none")),
    process: loaded.process,
    formats: formatKnowledge(loaded),
    inputs: inputs.loaded.values,
    overrides: inputs.loaded.requirements,
    downloads: state === undefined ? undefined : join(state, "downloads"),
    log: createLog(io.stderr),
    // Printed even with --quiet: a tool without its container may produce different results.
    warn: (message) => writeLine(io, `weft: warning: ${message}`),
  };
  if (settings.isOn("plan")) return (await import("./report-plan.ts")).reportPlan(prepared, inputs, settings);
  return report(await run({ ...prepared, provenance: provenanceOf(settings, loaded) }, settings), inputs, settings);
}

type PreparedRun = PreparedDocument & Pick<DocumentRun, "provenance">;

async function run(prepared: PreparedRun, settings: Settings): Promise<DocumentResult> {
  const progress = followRun(settings);
  const stop = abortOnSignals(settings.io);
  const outdir = settings.path("outdir") ?? settings.io.cwd;
  await checkWritable("outdir", outdir);
  const scratch = await newScratch(settings);
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
    return createLiveProgress(stderr, (env["NO_COLOR"] ?? "") === "");
  return { onEvents: createProgressLog((line) => writeLine(settings.io, line), detail), finish: async () => {} };
}

function provenanceOf(settings: Settings, loaded: LoadedDocument): DocumentRun["provenance"] {
  const [folder, sidecars] = [settings.path("provenance"), settings.isOn("sidecar")];
  if (folder === undefined && !sidecars) return undefined;
  return { document: JSON.stringify(packDocument(loaded)), folder, sidecars };
}

/** A new temporary folder. A prefix with a trailing slash names the folder around it. */
async function newScratch(settings: Settings): Promise<string> {
  const prefix = settings.text("tmpdir-prefix") ?? `${settings.path("state") ?? tmpdir()}/`;
  const path = settings.resolve(prefix.endsWith("/") ? join(prefix, "weft-run-") : prefix);
  await mkdir(dirname(path), { recursive: true });
  return mkdtemp(path);
}

function detailOf(settings: Settings): Detail {
  if (settings.isOn("quiet")) return "quiet";
  return settings.isOn("debug") ? "debug" : "normal";
}

/** The effect of a failed step on other steps. */
function onFailure(settings: Settings): DocumentRun["onFailure"] {
  const choice = oneOf("on-error", settings.text("on-error") ?? "stop", ["stop", "continue"]);
  return choice === "stop" ? "finish_running" : choice;
}

async function report(result: DocumentResult, inputs: Inputs, settings: Settings): Promise<number> {
  const { io } = settings;
  printProblems(result.problems, inputs, { io, isQuiet: settings.isOn("quiet") });
  if (result.kind === "wrong-inputs" && inputs.uri === undefined)
    writeLine(io, `Run "weft run ${settings.positionals[0]} --help" for the inputs.`);
  if (result.kind !== "ended") return reportWrong(result, io);
  if (result.state !== "COMPLETE" || result.outputs === undefined) {
    writeLine(io, `weft: ${result.reason?.message ?? "the run failed"}`);
    if (result.reason?.hint !== undefined) writeLine(io, `  hint: ${result.reason.hint}`);
    if (result.state === "CANCELED") return EXIT.interrupted;
    return result.reason?.code === "ENGINE" ? EXIT.unsupported : EXIT.failure;
  }
  const text = `${outputText(result.outputs)}\n`;
  const summary = settings.path("write-summary");
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

/** A live view of the run. Retries and downloads are lines above it; failures follow it. */
function createLiveProgress(terminal: Terminal, hasColor: boolean): Progress {
  let view: LiveView | undefined;
  let closed = Promise.resolve();
  const lines: string[] = [];
  const failures = createProgressLog((line) => lines.push(line), "quiet");
  return {
    onEvents: (events, run) => {
      view ??= new LiveView(terminal, { hasColor, nowMs: Date.now, look: () => run.look() });
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
