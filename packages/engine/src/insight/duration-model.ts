/** The known durations of the jobs of a step. Milliseconds. */
export interface DurationModel {
  readonly meanMs: number;
  /** Standard deviation of one job. */
  readonly deviationMs: number;
  /** Standard error of `meanMs`. */
  readonly errorMs: number;
  /** Ascending. */
  readonly durationsMs: readonly number[];
  readonly jobsOfRun: number;
  readonly jobsBefore: number;
}

/** With this many measured jobs, a run predicts its other jobs better than earlier runs with other inputs do. */
const ENOUGH_OF_RUN = 5;
/** Few jobs look more alike than they are: two imaginary ones with this relative deviation prevent overconfidence. */
const ASSUMED_DEVIATION = 0.4;
const IMAGINED_JOBS = 2;
/** Relative error of predictions from earlier runs. */
const ERROR_BETWEEN_RUNS = 0.2;

/** Relative error if running jobs contradict all finished ones. */
const ERROR_OF_CONTRADICTED = 0.5;

/**
 * Undefined if no job of the step has ever finished. `elapsedMs`: run times of its running jobs so far. If some have
 * outlasted all finished jobs, those say little about this run, so the running jobs count instead, as if they ended
 * now.
 */
export function durationModel(
  ofRun: readonly number[],
  before: readonly number[],
  elapsedMs: readonly number[] = [],
): DurationModel | undefined {
  if (ofRun.length + before.length === 0) return undefined;
  const outlasting = outlastingAll(elapsedMs, [...ofRun, ...before]);
  const earlier = ofRun.length >= ENOUGH_OF_RUN || outlasting.length > 0 ? [] : before;
  const durationsMs = [...ofRun, ...outlasting, ...earlier].toSorted((a, b) => a - b);
  const count = durationsMs.length;
  const meanMs = sum(durationsMs) / count;
  const imagined = IMAGINED_JOBS * (ASSUMED_DEVIATION * meanMs) ** 2;
  const variance = (sum(durationsMs.map((ms) => (ms - meanMs) ** 2)) + imagined) / (count + IMAGINED_JOBS);
  const between = ERROR_BETWEEN_RUNS * (earlier.length / count) + ERROR_OF_CONTRADICTED * (outlasting.length / count);
  return {
    meanMs,
    deviationMs: Math.sqrt(variance),
    errorMs: Math.sqrt(variance / count + (between * meanMs) ** 2),
    durationsMs,
    jobsOfRun: ofRun.length,
    jobsBefore: earlier.length,
  };
}

function outlastingAll(elapsedMs: readonly number[], durationsMs: readonly number[]): readonly number[] {
  const longest = durationsMs.reduce((most, ms) => Math.max(most, ms), 0);
  return elapsedMs.filter((ms) => ms > longest);
}

/** Remaining time of a job that has been running for some time: based on the jobs that took longer. */
export function remainingMs({ durationsMs, meanMs }: DurationModel, elapsedMs: number): number {
  const longer = durationsMs.filter((ms) => ms > elapsedMs);
  // The job takes longer than any job before: the longer it has taken, the longer it may still take.
  if (longer.length === 0) return Math.max(0.1 * meanMs, 0.2 * elapsedMs);
  return sum(longer) / longer.length - elapsedMs;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
