import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import type { OutputFiles } from "@weft/cwl/tool-tests/judge-content.ts";
import { judgeToolTest } from "@weft/cwl/tool-tests/judge-tool-test.ts";
import type { TestOutcome } from "@weft/cwl/tool-tests/judge-tool-test.ts";
import { readToolTest } from "@weft/cwl/tool-tests/read-tool-test.ts";
import type { Unmet } from "@weft/cwl/tool-tests/unmet.ts";
import type { TestResult } from "@weft/shared/records/test-record.ts";
import { diskReader } from "../files/disk-reader.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Journal } from "../journal/journal.ts";
import { readTests } from "./tests-table.ts";
import type { TestRow } from "./tests-table.ts";
import type { RunRow } from "../journal/rows.ts";
import { restoreValues } from "../values/record-values.ts";
import type { Log } from "../log.ts";

export interface TestWatchOptions {
  readonly journal: Journal;
  readonly uris: PortableUris;
  readonly files: OutputFiles;
  readonly log: Log;
}

const MAX_UNMET = 50;
const MAX_MESSAGE = 1000;

/**
 * Compares the outputs of each run that is a test with the test, as it was when the run began, and appends the result. One
 * at a time in the background; at the start, catches up with what an earlier server left.
 */
export class TestWatch {
  readonly #options: TestWatchOptions;
  readonly #stop: () => void;
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: TestWatchOptions) {
    this.#options = options;
    const { journal } = options;
    this.#stop = journal.subscribe((events) => {
      for (const { type, run_id: runId } of events) if (runId !== null && type === "run.ended") this.#consider(runId);
    });
    for (const runId of readTests(journal.read).runsToJudge()) this.#consider(runId);
  }

  /** Starts no more comparisons; resolves when the current test has its result. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#stop();
    await this.#last;
  }

  #consider(runId: string): void {
    const { journal, log } = this.#options;
    if (readTests(journal.read).testOfRun(runId)?.result !== null) return;
    this.#last = this.#last
      .then(() => this.#judge(runId))
      .catch((error: unknown) =>
        log("warn", "a run could not be compared with its test", { run_id: runId, error: String(error) }),
      );
  }

  async #judge(runId: string): Promise<void> {
    const { journal } = this.#options;
    const [run, test] = [journal.read.run(runId), readTests(journal.read).testOfRun(runId)];
    if (this.#isOver || run === undefined || test === undefined) return;
    const data = toResult(await this.#unmet(run, test));
    await journal.append([{ type: "run.tested", run_id: runId, actor: "engine", data }]);
  }

  async #unmet(run: RunRow, row: TestRow): Promise<readonly Unmet[]> {
    const { journal, uris, files } = this.#options;
    const uri = uris.toFile(row.uri) ?? row.uri;
    const text = journal.read.blob(row.text);
    const reader: DocumentReader = {
      read: async (requested) => (requested === uri ? text : diskReader.read(requested)),
    };
    const { test, diagnostics } = await readToolTest(uri, { reader });
    if (test !== undefined) return judgeToolTest(test, this.#outcomeOf(run), files);
    const message = diagnostics[0]?.message ?? "the test cannot be read";
    return [{ at: { file: uri, line: 1, column: 1 }, part: "", message }];
  }

  #outcomeOf({ runId, state, reason, outputs, startedMs, createdMs, endedMs }: RunRow): TestOutcome {
    const { journal, uris } = this.#options;
    const { read } = journal;
    const isComplete = state === "COMPLETE" && outputs !== null;
    return {
      outputs: isComplete ? restoreValues(read.blob(outputs), uris) : undefined,
      exitCode: isComplete ? null : (read.firstFailedJob(runId)?.exitCode ?? null),
      message: isComplete ? "" : (reason?.message ?? "no reason was recorded"),
      maxRssBytes: readTests(read).peakMemory(runId),
      runningMs: (endedMs ?? createdMs) - (startedMs ?? createdMs),
    };
  }
}

/** The log's record of the result. */
export function toResult(unmet: readonly Unmet[]): TestResult {
  return {
    passed: unmet.length === 0,
    unmet: unmet.slice(0, MAX_UNMET).map(({ part, message, at: { line, column } }) => ({
      part,
      message: message.slice(0, MAX_MESSAGE),
      line,
      column,
    })),
  };
}
