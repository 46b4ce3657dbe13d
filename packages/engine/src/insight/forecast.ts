import { remainingMs, sum, type DurationModel } from "./duration-model.ts";

/** The remaining work of one step. */
export interface StepWork {
  readonly step: string;
  /** Jobs that have not started, including those yet to be created. */
  readonly waiting: number;
  /** The elapsed time of each running job, in milliseconds. */
  readonly elapsedMs: readonly number[];
  /** Maximum number of concurrent jobs of the step, at least 1. */
  readonly width: number;
  /** Relative error of `waiting`; 0 if it is known. */
  readonly countError: number;
  /** The model of durations; absent if the duration of a job is unknown. */
  readonly model: DurationModel | undefined;
}

/** Steps in dependency order. A step with `inner` is a nested network. */
export interface StepPlan {
  readonly steps: readonly {
    readonly step: string;
    readonly after: readonly string[];
    /** True if the step has one job, or one nested network, for each element of a list, or loops. */
    readonly repeats?: boolean;
    readonly inner?: StepPlan;
  }[];
}

/** A time with its variance, in milliseconds. */
export interface Span {
  readonly ms: number;
  readonly variance: number;
}

const NO_TIME: Span = { ms: 0, variance: 0 };

/** The remaining time of the step if no other work is left; undefined if unknown. */
export function stepSpan({ waiting, elapsedMs, width, countError, model }: StepWork): Span | undefined {
  if (waiting === 0 && elapsedMs.length === 0) return NO_TIME;
  if (model === undefined) return undefined;
  const running = elapsedMs.map((ms) => remainingMs(model, ms));
  const jobs = waiting + running.length;
  const used = Math.min(width, jobs);
  const workMs = sum(running) + waiting * model.meanMs;
  // The last job of a busy step starts, on average, half a job before the others have ended.
  const tailMs = (model.meanMs * (used - 1)) / (2 * used);
  const longest = Math.max(0, ...running, waiting > 0 ? model.meanMs : 0);
  const ms = Math.max(longest, waiting === 0 ? 0 : workMs / used + tailMs);
  const rounds = jobs / used;
  const variance =
    (jobs * model.deviationMs ** 2) / used ** 2 +
    (rounds * model.errorMs) ** 2 +
    (countError * (waiting / used) * model.meanMs) ** 2;
  return { ms, variance };
}

/**
 * Time until everything is done: the longest path through dependent steps or, if longer, the time for which the work
 * keeps the machine busy.
 */
export function runSpan(works: readonly StepWork[], plan: StepPlan | undefined): Span | undefined {
  const spans = new Map<string, Span>();
  for (const work of works) {
    const span = stepSpan(work);
    if (span === undefined) return undefined;
    spans.set(work.step, span);
  }
  const path = plan === undefined ? inSequence([...spans.values()]) : longestPath(plan, spans);
  const busyMs = sum(works.map(({ waiting, width, model }) => (waiting * (model?.meanMs ?? 0)) / width));
  return { ms: Math.max(path.ms, busyMs), variance: path.variance };
}

function inSequence(spans: readonly Span[]): Span {
  return { ms: sum(spans.map(({ ms }) => ms)), variance: sum(spans.map(({ variance }) => variance)) };
}

/** Processes each step once those it depends on are known, without recursion, because a chain may be long. */
function longestPath({ steps }: StepPlan, spans: ReadonlyMap<string, Span>): Span {
  const begins = new Map(steps.map(({ step }) => [step, NO_TIME]));
  const open = new Map(steps.map(({ step, after }) => [step, new Set(after.filter((name) => begins.has(name)))]));
  const followers = Map.groupBy(
    steps.flatMap(({ step, after }) => after.map((name) => ({ name, step }))),
    ({ name }) => name,
  );
  const byStep = new Map(steps.map((step) => [step.step, step]));
  const ready = steps.filter(({ step }) => open.get(step)?.size === 0);
  let last = NO_TIME;
  for (const { step, inner } of ready) {
    const own = inner === undefined ? (spans.get(step) ?? NO_TIME) : longestPath(inner, spans);
    const end = inSequence([begins.get(step) ?? NO_TIME, own]);
    last = latest([last, end]);
    for (const { step: follower } of followers.get(step) ?? []) {
      begins.set(follower, latest([begins.get(follower) ?? NO_TIME, end]));
      const waits = open.get(follower);
      const found = byStep.get(follower);
      // The list grows while it is processed.
      if (waits?.delete(step) === true && waits.size === 0 && found !== undefined) ready.push(found);
    }
  }
  return last;
}

function latest(spans: readonly Span[]): Span {
  return spans.reduce((last, span) => (span.ms > last.ms ? span : last), NO_TIME);
}

/** Limits that contain 8 of 10 values, for a non-negative time whose distribution has a long tail. */
export function estimateOf({ ms, variance }: Span): {
  readonly expected_ms: number;
  readonly low_ms: number;
  readonly high_ms: number;
} {
  if (ms === 0) return { expected_ms: 0, low_ms: 0, high_ms: 0 };
  const spread = Math.exp(1.28 * Math.sqrt(Math.log(1 + variance / ms ** 2)));
  return { expected_ms: Math.round(ms), low_ms: Math.round(ms / spread), high_ms: Math.round(ms * spread) };
}
