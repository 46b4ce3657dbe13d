import type { Forecast, StepForecast } from "@weft/shared/records/insight-record.ts";
import { FINAL_STATES } from "@weft/shared/records/state-names.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { JobMeasure } from "../journal/read-measures.ts";
import type { RunRow, StepRow } from "../journal/rows.ts";
import { timeText } from "../present/present-time.ts";
import { durationModel, type DurationModel } from "./duration-model.ts";
import { estimateOf, runSpan, stepSpan, type StepPlan, type StepWork } from "./forecast.ts";
import { singleSteps } from "./step-plan.ts";
import { MAX_MEASURES, type EarlierRun } from "./run-history.ts";

/** The machine's capacity for jobs, and the number of runs that share it. */
export interface MachineShare {
  readonly cores: number;
  readonly ramBytes: number;
  readonly slots: number;
  /** Concurrent jobs at other backends. */
  readonly remote: number;
  /** Other runs that have jobs waiting or running. */
  readonly otherRuns: number;
  /** True if jobs of the run start only after jobs of other runs, whose durations are not estimated. */
  readonly isBehind: boolean;
}

export interface ForecastContext {
  readonly read: LogReader;
  readonly nowMs: number;
  readonly machine: MachineShare;
  /** Newest first. */
  readonly earlier: readonly EarlierRun[];
  /** The plan of steps; undefined for a single tool, and for a document that can no longer be read. */
  readonly plan: StepPlan | undefined;
  /** Jobs of a tool in any run, newest first. */
  readonly measuresOfTool: (id: string, version: string) => readonly JobMeasure[];
}

const MAX_RUNNING = 1000;
const SHOWN_STEPS = 1000;
/** Relative error of a number of jobs inferred from earlier runs. */
const COUNT_ERROR = 0.25;

/**
 * Forecasts the remaining time of a run. The cost is bounded: it reads samples of jobs from this run and a few earlier
 * ones.
 */
export function forecastRun(run: RunRow, context: ForecastContext): Forecast {
  const { read, nowMs, earlier } = context;
  const common = { run_id: run.runId, as_of: timeText(nowMs), runs_before: earlier.length };
  if (run.endedMs !== null) return { ...common, left: null, unknown: null, steps: [] };
  const steps = read.steps(run.runId);
  const own = Map.groupBy(read.measuresOfRun(run.runId, MAX_MEASURES), ({ step }) => step);
  const running = Map.groupBy(read.runningMeasures(run.runId, MAX_RUNNING), ({ step }) => step);
  const singles = context.plan === undefined ? new Set<string>() : singleSteps(context.plan);
  const parts = steps.map((step) => {
    const jobs = { own: own.get(step.step) ?? [], running: running.get(step.step) ?? [] };
    return workOf(step, { run, steps, singles, ...jobs }, context);
  });
  const open = parts.filter(({ work, isFinal }) => !isFinal || work.waiting > 0 || work.elapsedMs.length > 0);
  const unknown = whyUnknown(run, open, context.machine);
  const span =
    unknown === undefined
      ? runSpan(
          open.map(({ work }) => work),
          context.plan,
        )
      : undefined;
  return {
    ...common,
    left: span === undefined ? null : estimateOf(span),
    unknown: unknown ?? null,
    steps: open.slice(0, SHOWN_STEPS).map((step) => presentStep(step, context.machine)),
  };
}

interface OpenStep {
  readonly work: StepWork;
  /** True if the number of jobs is known, false if it is inferred. */
  readonly isFinal: boolean;
  readonly isCounted: boolean;
}

function whyUnknown(run: RunRow, open: readonly OpenStep[], { isBehind }: MachineShare): string | undefined {
  if (run.state === "PAUSED") return "The run is paused.";
  if (run.state === "CANCELING") return "The run is being aborted.";
  if (open.length === 0) return "No step has jobs left; the run is about to end.";
  if (isBehind) return "Its jobs wait for jobs of other runs.";
  const uncounted = open.find(({ isCounted }) => !isCounted);
  if (uncounted !== undefined) return `How many jobs ${nameOf(uncounted.work)} has depends on earlier results.`;
  const unmeasured = open.find(({ work: { model, waiting, elapsedMs } }) => {
    return model === undefined && waiting + elapsedMs.length > 0;
  });
  return unmeasured === undefined ? undefined : `No job of ${nameOf(unmeasured.work)} has finished yet, in any run.`;
}

function nameOf({ step }: StepWork): string {
  return step === "" ? "the tool" : `step ${step}`;
}

interface StepFacts {
  readonly run: RunRow;
  readonly steps: readonly StepRow[];
  /** Steps that have one job. */
  readonly singles: ReadonlySet<string>;
  readonly own: readonly JobMeasure[];
  readonly running: readonly JobMeasure[];
}

function workOf(step: StepRow, facts: StepFacts, context: ForecastContext): OpenStep {
  const { own, running, run } = facts;
  const ended = FINAL_STATES.reduce((count, state) => count + (step.jobCounts[state] ?? 0), 0);
  const isFinal = step.jobsTotalIsFinal || facts.singles.has(step.step);
  const total = step.jobsTotalIsFinal ? step.jobsTotal : isFinal ? 1 : inferredTotal(step, facts, context.earlier);
  const started = step.jobCounts.RUNNING ?? 0;
  const before = measuresBefore(step, own, context);
  const elapsedMs = running.map(({ startedMs }) => Math.max(0, context.nowMs - startedMs));
  const example = own.at(-1) ?? running.at(-1) ?? before.at(-1);
  return {
    isFinal,
    isCounted: total !== undefined,
    work: {
      step: step.step,
      waiting: Math.max(0, (total ?? step.jobsTotal) - ended - started),
      elapsedMs,
      width: widthOf(example, run, context.machine),
      countError: isFinal ? 0 : COUNT_ERROR,
      model: durationModel(durations(own), durations(before), elapsedMs),
    },
  };
}

/** Jobs of the same step in earlier runs; if there are none, jobs of its tool in any run. */
function measuresBefore(
  { step }: StepRow,
  own: readonly JobMeasure[],
  { earlier, measuresOfTool }: ForecastContext,
): readonly JobMeasure[] {
  const before = earlier.flatMap(({ measures }) => measures.filter((measure) => measure.step === step));
  if (before.length > 0) return before;
  const { toolId = null, toolVersion = null } = own[0] ?? {};
  return toolId === null || toolVersion === null ? [] : measuresOfTool(toolId, toolVersion);
}

function durations(measures: readonly JobMeasure[]): readonly number[] {
  return measures.flatMap(({ isSuccess, startedMs, endedMs }) =>
    isSuccess && endedMs !== null ? [Math.max(0, endedMs - startedMs)] : [],
  );
}

/**
 * The number of jobs of the step in the latest earlier run that has the step, scaled by the widest step that both runs
 * know; undefined without such a run.
 */
function inferredTotal(
  { step, jobsTotal }: StepRow,
  { steps, singles }: StepFacts,
  earlier: readonly EarlierRun[],
): number | undefined {
  const widths = earlier.find(({ widths: found }) => (found.get(step) ?? 0) > 0)?.widths;
  if (widths === undefined) return undefined;
  const repeated = steps.filter(({ jobsTotalIsFinal, step: other }) => jobsTotalIsFinal && !singles.has(other));
  const [widest] = repeated
    .filter(({ step: other }) => (widths.get(other) ?? 0) > 0)
    .toSorted((a, b) => b.jobsTotal - a.jobsTotal);
  const scale = widest === undefined ? 1 : widest.jobsTotal / (widths.get(widest.step) ?? 1);
  return Math.max(jobsTotal, Math.round((widths.get(step) ?? 0) * scale));
}

/**
 * The number of jobs of this size that can run concurrently, within a fair share of the machine and the limits of the
 * run.
 */
function widthOf(example: JobMeasure | undefined, run: RunRow, machine: MachineShare): number {
  const allowed = run.options.max_parallel_jobs ?? Number.POSITIVE_INFINITY;
  if (example?.isRemote === true) return Math.max(1, Math.min(allowed, machine.remote));
  const { cores, ramBytes } = example ?? { cores: 1, ramBytes: 0 };
  const share = 1 / (1 + machine.otherRuns);
  const byCores = cores === null || cores <= 0 ? machine.slots : (machine.cores * share) / cores;
  const byMemory = ramBytes === null || ramBytes <= 0 ? machine.slots : (machine.ramBytes * share) / ramBytes;
  return Math.max(1, Math.floor(Math.min(allowed, machine.slots * share, byCores, byMemory)));
}

function presentStep({ work, isFinal, isCounted }: OpenStep, { isBehind }: MachineShare): StepForecast {
  const span = isCounted && !isBehind ? stepSpan(work) : undefined;
  return {
    step: work.step,
    jobs_left: work.waiting + work.elapsedMs.length,
    jobs_left_is_final: isFinal,
    left: span === undefined ? null : estimateOf(span),
    job: work.model === undefined ? null : jobEstimate(work.model),
    jobs_of_run: work.model?.jobsOfRun ?? 0,
    jobs_before: work.model?.jobsBefore ?? 0,
  };
}

function jobEstimate({ meanMs, deviationMs, errorMs }: DurationModel) {
  return estimateOf({ ms: meanMs, variance: deviationMs ** 2 + errorMs ** 2 });
}
