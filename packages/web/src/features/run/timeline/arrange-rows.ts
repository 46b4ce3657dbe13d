import type { JobTimes } from "../../../api/all-jobs.ts";

export interface StepRows {
  readonly step: string;
  /** Number of its first row. */
  readonly first: number;
  readonly count: number;
}

/** One row per job, the jobs of a step together. */
export interface TimelineRows {
  readonly rows: readonly JobTimes[];
  readonly steps: readonly StepRows[];
  readonly fromMs: number;
  /** The last moment that is known of any job. */
  readonly toMs: number;
}

/** Steps by the moment at which their first job was queued, their jobs by their start, then as they were queued. */
export function arrangeRows(jobs: readonly JobTimes[]): TimelineRows {
  const groups = [...Map.groupBy(jobs, ({ step }) => step)].sort(([, a], [, b]) => firstQueued(a) - firstQueued(b));
  const rows: JobTimes[] = [];
  const steps: StepRows[] = [];
  for (const [step, group] of groups) {
    steps.push({ step, first: rows.length, count: group.length });
    for (const job of group.toSorted((a, b) => startOf(a) - startOf(b))) rows.push(job);
  }
  const fromMs = jobs.reduce((least, { queuedMs }) => Math.min(least, queuedMs), Number.POSITIVE_INFINITY);
  const toMs = jobs.reduce((most, job) => Math.max(most, lastMoment(job)), Number.NEGATIVE_INFINITY);
  return { rows, steps, fromMs: Number.isFinite(fromMs) ? fromMs : 0, toMs: Number.isFinite(toMs) ? toMs : 0 };
}

function firstQueued(jobs: readonly JobTimes[]): number {
  return jobs.reduce((least, { queuedMs }) => Math.min(least, queuedMs), Number.POSITIVE_INFINITY);
}

/** A job that waits comes after all that have started. */
function startOf({ startedMs, queuedMs }: JobTimes): number {
  return startedMs ?? queuedMs + 1e15;
}

function lastMoment({ queuedMs, startedMs, exitedMs, endedMs }: JobTimes): number {
  return endedMs ?? exitedMs ?? startedMs ?? queuedMs;
}
