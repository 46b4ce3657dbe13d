import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Log } from "../log.ts";
import { compareRuns } from "./compare/compare-runs.ts";
import type { RunsComparison } from "./compare/compare-runs.ts";

export interface WatchOptions extends Pick<RunsComparison, "reach" | "resolve" | "uris"> {
  readonly journal: Journal;
  readonly log: Log;
}

/** Events after which there may be a run to compare: the checksums of inputs may arrive after the end of a short run. */
const OCCASIONS: ReadonlySet<string> = new Set(["run.ended", "run.inputs"]);

/**
 * Compares each ended reproduction with its original and appends the verdict, one at a time in the background. At the
 * start, catches up with what an earlier server left. The next server retries a verdict that is impossible now, for
 * example because a file cannot be read.
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
    // Inputs without a record by now were never hashed, and no server will do it later.
    for (const { runId } of journal.read.runsToCompare()) this.#consider(runId);
  }

  /** Starts no more comparisons; resolves when the current one has ended. */
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
        this.#options.log("warn", "a run could not be compared with its original", {
          run_id: runId,
          error: String(error),
        }),
      );
  }

  async #judge(first: RunRow, second: RunRow): Promise<void> {
    if (this.#isOver || second.reproduces === null) return;
    const { journal, reach, resolve, uris } = this.#options;
    const { tolerance } = second.reproduces;
    const verdict = await compareRuns({ first, second }, journal.read, { tolerance, reach, resolve, uris });
    const data = { with: first.runId, verdict };
    await journal.append([{ type: "run.compared", run_id: second.runId, actor: "engine", data }]);
  }
}

function hasInputs(read: LogReader, runId: string): boolean {
  return read.files({ runId, scope: "run", direction: "input", pageSize: 1 }).entries.length > 0;
}
