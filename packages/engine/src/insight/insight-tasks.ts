import type { Forecast, RunSizing, Sizing } from "@weft/shared/records/insight-record.ts";
import { requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";
import { loadRecordedDocument } from "../catalog/recorded-document.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/caller.ts";
import type { Reading } from "../read/reading.ts";
import type { StepPlan } from "./forecast.ts";
import { forecastRun, type MachineShare } from "./forecast-run.ts";
import { RunHistory } from "./run-history.ts";
import { sizeJobs } from "./size-jobs.ts";
import { sizeRun } from "./size-run.ts";
import { stepPlan } from "./step-plan.ts";

const JOBS_OF_TOOL = 2000;
/** Number of networks whose steps stay in memory. */
const KEPT_PLANS = 32;

export function insightTasks({ read, roots: { uris } }: Reading) {
  const history = new RunHistory(read);
  const plans = new Map<string, StepPlan | undefined>();
  const planOf = async (run: RunRow): Promise<StepPlan | undefined> => {
    if (plans.has(run.document)) return plans.get(run.document);
    // Without its document, the steps of a run count as sequential.
    const loaded = await loadRecordedDocument(run, { read, uris }).catch(() => undefined);
    const plan = loaded === undefined ? undefined : stepPlan(loaded.process);
    if (plans.size >= KEPT_PLANS) plans.clear();
    plans.set(run.document, plan);
    return plan;
  };
  return (caller: Caller) => {
    const owner = visibleOwner(caller);
    const measuresOfTool = (id: string, version: string) => read.measuresOfTool(id, version, owner, JOBS_OF_TOOL);
    const withEarlier = (runId: string) => {
      const run = requireVisibleRun(read, runId, caller);
      return { run, earlier: history.before(run, owner) };
    };
    return {
      forecast: async (runId: string, nowMs: number, machine: MachineShare): Promise<Forecast> => {
        const open = requireVisibleRun(read, runId, caller);
        const plan = open.endedMs === null ? await planOf(open) : undefined;
        return read.snapshot(() => {
          const { run, earlier } = withEarlier(runId);
          return forecastRun(run, { read, nowMs, machine, earlier, plan, measuresOfTool });
        });
      },
      sizeRun: (runId: string): RunSizing =>
        read.snapshot(() => {
          const { run, earlier } = withEarlier(runId);
          return sizeRun(run, read, earlier);
        }),
      sizeTool: (id: string, version: string): Sizing => sizeJobs(measuresOfTool(id, version)),
    };
  };
}
