import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import { watchRuns } from "../journal/watch-runs.ts";
import type { Log } from "../log.ts";
import type { Agent } from "../port/engine.ts";
import { compareRuns, type RunsComparison } from "./compare/compare-runs.ts";

export interface WatchOptions extends Pick<RunsComparison, "reach" | "resolve" | "uris"> {
  readonly journal: Journal;
  readonly log: Log;
}

/**
 * Compares each ended reproduction with its original and appends the verdict. The next server retries a verdict that is
 * impossible now, for example because a file cannot be read.
 */
export function watchReproductions({ journal, log, reach, resolve, uris }: WatchOptions): Agent {
  const { read } = journal;
  const judge = async (first: RunRow, second: RunRow, { tolerance }: Tolerated) => {
    const verdict = await compareRuns({ first, second }, read, { tolerance, reach, resolve, uris });
    const data = { with: first.runId, verdict };
    await journal.append([{ type: "run.compared", run_id: second.runId, actor: "engine", data }]);
  };
  return watchRuns({
    ...{ journal, log },
    // The checksums of inputs may arrive after the end of a short run.
    occasions: ["run.ended", "run.inputs"],
    left: () => read.runsToCompare().map(({ runId }) => runId),
    failure: "a run could not be compared with its original",
    workOn(runId, isLeft) {
      const run = read.run(runId);
      if (run?.reproduces == null || run.verdict !== null) return undefined;
      const { reproduces } = run;
      const original = read.run(reproduces.run_id);
      // Inputs that an earlier server left without a record were never hashed, and no server will do it later.
      const isReady = isLeft || (run.endedMs !== null && knowsInputs(run, reproduces.run_id, read));
      return original !== undefined && isReady ? () => judge(original, run, reproduces) : undefined;
    },
  });
}

type Tolerated = NonNullable<RunRow["reproduces"]>;

function knowsInputs({ runId, state }: RunRow, original: string, read: LogReader): boolean {
  return state !== "COMPLETE" || hasInputs(read, runId) || !hasInputs(read, original);
}

function hasInputs(read: LogReader, runId: string): boolean {
  return read.files({ runId, scope: "run", direction: "input", pageSize: 1 }).entries.length > 0;
}
