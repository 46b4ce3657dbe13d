import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { type StateTone, STATE_LOOKS } from "../../../format/state-look.ts";

interface StepRows {
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

export const PIECE_KINDS = ["waiting", "success", "collecting", "running", "canceled", "preempted", "failed"] as const;

/** Label and color of each kind. */
export const PIECE_LOOKS: Readonly<Record<PieceKind, { readonly word: string; readonly tone: StateTone }>> = {
  waiting: { word: "Queued", tone: "queued" },
  running: { word: "Running", tone: "running" },
  collecting: { word: "Collecting outputs", tone: "paused" },
  success: { word: "Succeeded", tone: "success" },
  failed: { word: "Failed", tone: "failed" },
  canceled: { word: "Aborted", tone: "canceled" },
  preempted: { word: "Preempted", tone: "preempted" },
};

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

/** The kind of a bar segment. If several share a pixel, the later one in PIECE_KINDS is drawn. */
export type PieceKind = (typeof PIECE_KINDS)[number];

type VisitPiece = (kind: PieceKind, fromMs: number, toMs: number) => void;

/**
 * Visits the segments of a job's bar at `nowMs`: waiting, then running in the color of its state, then collecting.
 * Allocates no list, because a frame visits 100,000 jobs.
 */
export function visitSegments(job: JobTimes, nowMs: number, visit: VisitPiece): void {
  const endMs = job.endedMs ?? Math.max(nowMs, job.startedMs ?? job.queuedMs);
  const startMs = job.startedMs ?? endMs;
  const exitMs = Math.min(job.exitedMs ?? endMs, endMs);
  if (startMs > job.queuedMs) visit("waiting", job.queuedMs, startMs);
  if (exitMs > startMs || job.startedMs !== undefined) visit(kindOf(job), startMs, exitMs);
  if (endMs > exitMs) visit("collecting", exitMs, endMs);
}

function kindOf({ state }: JobTimes): PieceKind {
  const { tone } = STATE_LOOKS[state];
  switch (tone) {
    case "queued":
    case "running":
    case "paused":
      return "running";
    default:
      return tone;
  }
}
