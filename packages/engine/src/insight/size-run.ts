import type { RunSizing } from "@weft/shared/records/insight-record.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import { MAX_MEASURES, type EarlierRun } from "./run-history.ts";
import { sizeJobs } from "./size-jobs.ts";

const SHOWN_STEPS = 1000;

/** Requested and used resources of the steps of a run, here and in earlier runs. */
export function sizeRun(
  run: Pick<RunRow, "runId">,
  read: Pick<LogReader, "measuresOfRun" | "steps">,
  earlier: readonly EarlierRun[],
): RunSizing {
  const own = read.measuresOfRun(run.runId, MAX_MEASURES);
  const byStep = Map.groupBy([...own, ...earlier.flatMap(({ measures }) => measures)], ({ step }) => step);
  const steps = read.steps(run.runId).slice(0, SHOWN_STEPS);
  return {
    run_id: run.runId,
    steps: steps.map(({ step }) => {
      const measures = byStep.get(step) ?? [];
      const { toolId = null, toolVersion = null } = measures[0] ?? {};
      return {
        step,
        tool: toolId === null ? null : { id: toolId, version: toolVersion },
        sizing: sizeJobs(measures),
        used_here: sizeJobs(measures.filter(({ runId }) => runId === run.runId)).used,
      };
    }),
  };
}
