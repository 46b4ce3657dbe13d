import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import type { OutputFiles } from "@weft/language/tool-tests/judge-content.ts";
import { judgeToolTest, type TestOutcome } from "@weft/language/tool-tests/judge-tool-test.ts";
import type { Unmet } from "@weft/language/tool-tests/tool-test.ts";
import { readToolTest } from "@weft/language/tool-tests/read-tool-test.ts";
import type { TestResult } from "@weft/shared/records/test-record.ts";
import { diskReader } from "../files/disk-reader.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Journal } from "../journal/journal.ts";
import { readTests, type TestRow } from "./tests-table.ts";
import type { RunRow } from "../journal/rows.ts";
import { watchRuns } from "../journal/watch-runs.ts";
import { restoreValues } from "../values/record-values.ts";
import type { Log } from "../log.ts";
import type { Agent } from "../port/engine.ts";

export interface TestWatchOptions {
  readonly journal: Journal;
  readonly uris: PortableUris;
  readonly outputFiles: OutputFiles;
  readonly log: Log;
}

const MAX_UNMET = 50;
const MAX_MESSAGE = 1000;

/**
 * Compares the outputs of each run of a test with the test as it was when the run began, and appends the result.
 */
export function watchTests(options: TestWatchOptions): Agent {
  const { journal, log } = options;
  const tests = readTests(journal.read);
  return watchRuns({
    ...{ journal, log },
    occasions: ["run.ended"],
    left: () => tests.runsToJudge(),
    failure: "a run could not be compared with its test",
    workOn: (runId) => (tests.testOfRun(runId)?.result === null ? () => judge(runId, options) : undefined),
  });
}

async function judge(runId: string, options: TestWatchOptions): Promise<void> {
  const { journal } = options;
  const [run, test] = [journal.read.run(runId), readTests(journal.read).testOfRun(runId)];
  if (run === undefined || test === undefined) return;
  const data = toResult(await findUnmet(run, test, options));
  await journal.append([{ type: "run.tested", run_id: runId, actor: "engine", data }]);
}

async function findUnmet(
  run: RunRow,
  row: TestRow,
  { journal, uris, outputFiles }: TestWatchOptions,
): Promise<readonly Unmet[]> {
  const uri = uris.toFile(row.uri) ?? row.uri;
  const text = journal.read.blob(row.text);
  const reader: DocumentReader = {
    read: async (requested) => (requested === uri ? text : diskReader.read(requested)),
  };
  const { test, diagnostics } = await readToolTest(uri, { reader });
  if (test !== undefined) return judgeToolTest(test, outcomeOf(run, { journal, uris }), outputFiles);
  const message = diagnostics[0]?.message ?? "the test cannot be read";
  return [{ at: { file: uri, line: 1, column: 1 }, part: "", message }];
}

function outcomeOf(
  { runId, state, reason, outputs, startedMs, createdMs, endedMs }: RunRow,
  { journal: { read }, uris }: Pick<TestWatchOptions, "journal" | "uris">,
): TestOutcome {
  const isComplete = state === "COMPLETE" && outputs !== null;
  return {
    outputs: isComplete ? restoreValues(read.blob(outputs), uris) : undefined,
    exitCode: isComplete ? null : (read.firstFailedJob(runId)?.exitCode ?? null),
    message: isComplete ? "" : (reason?.message ?? "no reason was recorded"),
    maxRssBytes: readTests(read).peakMemory(runId),
    runningMs: (endedMs ?? createdMs) - (startedMs ?? createdMs),
  };
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
