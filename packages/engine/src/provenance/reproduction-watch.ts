import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Log } from "../log.ts";
import { compareRuns } from "./compare/compare-runs.ts";
import type { FileComparison } from "./compare/compare-files.ts";

export interface WatchOptions extends Pick<FileComparison, "reach" | "resolve"> {
  readonly journal: Journal;
  readonly log: Log;
}

/** After these there may be something to compare: the checksums of inputs may come later than the end of a short run. */
const OCCASIONS: ReadonlySet<string> = new Set(["run.ended", "run.inputs"]);

/**
 * Compares each run that reproduces another with it, when it has ended, and appends the verdict. One at a time, beside
 * everything else. What an earlier server did not come to is done at the start; a verdict that cannot be had (a file cannot be
 * read just now) is tried again by the next server.
 */
export class ReproductionWatch {
  readonly #options: WatchOptions;
  readonly #stop: () => void;
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    const { journal } = options;
    this.#stop = journal.subscribe((events) => {
      for (const { type, run_id: runId } of events)
        if (runId !== null && OCCASIONS.has(type) && this.#isReady(runId)) this.#consider(runId);
    });
    // Inputs that are not on record by now were never hashed: no server does it later.
    for (const { runId } of journal.read.runsToCompare()) this.#consider(runId);
  }

  /** Nothing more is begun; resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#stop();
    await this.#last;
  }

  #isReady(runId: string): boolean {
    const { read } = this.#options.journal;
    const run = read.run(runId);
    if (run?.reproduces == null || run.endedMs === null) return false;
    return run.state !== "COMPLETE" || hasInputs(read, runId) || !hasInputs(read, run.reproduces.run_id);
  }

  #consider(runId: string): void {
    const { read } = this.#options.journal;
    const run = read.run(runId);
    const original = run?.reproduces == null ? undefined : read.run(run.reproduces.run_id);
    if (run === undefined || original === undefined || run.verdict !== null) return;
    this.#last = this.#last
      .then(() => this.#judge(original, run))
      .catch((error: unknown) =>
        this.#options.log("warn", "a run could not be compared with the one that it reproduces", {
          run_id: runId,
          error: String(error),
        }),
      );
  }

  async #judge(first: RunRow, second: RunRow): Promise<void> {
    if (this.#isOver || second.reproduces === null) return;
    const { journal, reach, resolve } = this.#options;
    const { tolerance } = second.reproduces;
    const verdict = await compareRuns({ first, second }, journal.read, { tolerance, reach, resolve });
    const data = { with: first.runId, verdict };
    await journal.append([{ type: "run.compared", run_id: second.runId, actor: "engine", data }]);
  }
}

function hasInputs(read: LogReader, runId: string): boolean {
  return read.files({ runId, scope: "run", direction: "input", pageSize: 1 }).entries.length > 0;
}
