import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import type { LoadedSource } from "@weft/cwl/document/document-reader.ts";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { overrideRequirements } from "@weft/cwl/model/override-requirements.ts";
import type { OutputFiles } from "@weft/language/tool-tests/judge-content.ts";
import { judgeToolTest, type TestOutcome } from "@weft/language/tool-tests/judge-tool-test.ts";
import type { Unmet, ToolTest } from "@weft/language/tool-tests/tool-test.ts";
import { readToolTest } from "@weft/language/tool-tests/read-tool-test.ts";
import type { DocumentSettings } from "@weft/engine/document/document-services.ts";
import { runDocument, type DocumentResult } from "@weft/engine/document/run-document.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { removeScratch } from "@weft/engine/files/remove-scratch.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { diagnosticText } from "../output/diagnostic-text.ts";
import type { FoundTest } from "./find-tests.ts";

export interface TestResult {
  readonly test: FoundTest;
  readonly durationMs: number;
  /** The unmet expectations; empty if the test passed. */
  readonly unmet: readonly Unmet[];
  /** Reason why the test cannot run, for people; absent if it ran. */
  readonly wrong?: string;
  /** The files of a test that is in a separate file. */
  readonly sources: readonly LoadedSource[];
}

export interface TestRun {
  readonly settings: Omit<DocumentSettings, "scratch">;
  readonly files: OutputFiles;
  readonly signal: AbortSignal;
  /** Messages name files relative to this folder. */
  readonly cwd: string;
}

/** Runs one test as `weft run` runs a document, in temporary folders. */
export async function runTest(test: FoundTest, run: TestRun): Promise<TestResult> {
  const startedMs = performance.now();
  const loaded = await loadTest(test);
  const result = (unmet: readonly Unmet[], wrong?: string): TestResult => {
    const durationMs = Math.round(performance.now() - startedMs);
    const base = { test, durationMs, unmet, sources: loaded.sources };
    return wrong === undefined ? base : { ...base, wrong };
  };
  if (loaded.test === undefined) return result([], textOf(loaded, run.cwd));
  const scratch = await mkdtemp(join(tmpdir(), "weft-test-"));
  try {
    // The test for a working sandbox requires the folder.
    await mkdir(join(scratch, "scratch"));
    const outcome = await runOnce(test.document, loaded.test, { ...run, folder: scratch });
    return typeof outcome === "string"
      ? result([], outcome)
      : result(await judgeToolTest(loaded.test, outcome, run.files));
  } finally {
    await removeScratch(scratch, (message) => run.settings.log("warn", message));
  }
}

interface LoadedTest {
  readonly test: ToolTest | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly LoadedSource[];
}

async function loadTest({ source }: FoundTest): Promise<LoadedTest> {
  if (source.kind === "file") return readToolTest(pathToUri(source.path), { reader: diskReader });
  const { job, shouldFail, at, checks, doc } = source.test;
  const { values, requirements, overrides, sources, ...loaded } =
    job === undefined ? NO_INPUTS : await loadInputObject(job, { reader: diskReader });
  const failure = shouldFail ? { at, exitCode: undefined } : undefined;
  const diagnostics = [...source.test.diagnostics, ...loaded.diagnostics];
  const isWrong = !shouldFail && diagnostics.some(({ severity }) => severity === "error");
  const test = { doc, inputs: values, requirements, overrides, failure, checks: shouldFail ? [] : checks };
  return { test: isWrong ? undefined : test, diagnostics, sources };
}

const NO_INPUTS = { values: {}, requirements: [], overrides: new Map(), diagnostics: [], sources: [] };

function textOf({ diagnostics, sources }: Pick<LoadedTest, "diagnostics" | "sources">, cwd: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map((diagnostic) => diagnosticText(diagnostic, sources, cwd)).join("\n");
}

/** The outcome, or why the document is invalid. A test may expect an invalid document. */
async function runOnce(
  document: string,
  test: ToolTest,
  { settings, signal, folder, cwd }: TestRun & { readonly folder: string },
): Promise<TestOutcome | string> {
  const loaded = await loadDocument(document, { reader: diskReader });
  const errors = textOf(loaded, cwd);
  if (loaded.process === undefined || errors !== "") return test.failure === undefined ? errors : failed(errors);
  const watch = new RunWatch();
  const result = await runDocument({
    ...settings,
    process: overrideRequirements(loaded.process, test.overrides),
    formats: formatKnowledge(loaded),
    inputs: test.inputs,
    overrides: test.requirements,
    outdir: join(folder, "outputs"),
    scratch: join(folder, "scratch"),
    onEvents: (events, view) => watch.follow(events, () => view.failedJob()?.exitCode ?? null),
    signal,
  });
  return watch.outcome(result);
}

function failed(message: string): TestOutcome {
  return { outputs: undefined, exitCode: null, message, maxRssBytes: null, runningMs: 0 };
}

/** Collects the exit code, the duration and the peak memory from the events of a run. */
class RunWatch {
  #maxRssBytes: number | null = null;
  #exitCode: number | null = null;
  #startedMs = 0;
  #endedMs = 0;

  follow(events: readonly WeftEvent[], exitCode: () => number | null): void {
    for (const { type, time, data } of events) {
      if (type === "run.started") this.#startedMs = Date.parse(time);
      if (type === "job.ended" && data.max_rss_bytes !== null)
        this.#maxRssBytes = Math.max(this.#maxRssBytes ?? 0, data.max_rss_bytes);
      if (type !== "run.ended") continue;
      this.#endedMs = Date.parse(time);
      // The log closes with the run.
      if (data.state !== "COMPLETE") this.#exitCode = exitCode();
    }
  }

  outcome(result: DocumentResult): TestOutcome {
    if (result.kind !== "ended") return failed(messageOf(result));
    const { state, reason, outputs } = result;
    return {
      outputs: state === "COMPLETE" ? outputs : undefined,
      exitCode: this.#exitCode,
      message: state === "COMPLETE" ? "" : (reason?.message ?? "no reason was recorded"),
      maxRssBytes: this.#maxRssBytes,
      runningMs: Math.max(0, this.#endedMs - this.#startedMs),
    };
  }
}

function messageOf(result: Exclude<DocumentResult, { readonly kind: "ended" }>): string {
  if (result.kind === "refused") return result.message;
  const errors = result.problems.filter(({ severity }) => severity === "error");
  return errors.map(({ pointer, message }) => `input ${pointer.slice(1)}: ${message}`).join("; ");
}
