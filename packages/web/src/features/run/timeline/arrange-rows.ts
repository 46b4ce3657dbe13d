import type { JobTimes } from "../../../api/all-jobs.ts";

export interface StepRows {
  readonly step: string;
  /** Index of its first row. */
  readonly first: number;
  readonly count: number;
}

/** One row per job, the jobs of a step together. */
export interface TimelineRows {
  readonly rows: readonly JobTimes[];
  readonly steps: readonly StepRows[];
  readonly fromMs: number;
  /** The latest time known of any job. */
  readonly toMs: number;
}

/** Steps in the order in which their first job was queued; jobs by start time, then by queue order. */
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

/** Waiting jobs come after all started ones. */
function startOf({ startedMs, queuedMs }: JobTimes): number {
  return startedMs ?? queuedMs + 1e15;
}

function lastMoment({ queuedMs, startedMs, exitedMs, endedMs }: JobTimes): number {
  return endedMs ?? exitedMs ?? startedMs ?? queuedMs;
}
