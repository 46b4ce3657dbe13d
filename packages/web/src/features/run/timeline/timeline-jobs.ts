import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { STATE_LOOKS, type StateTone } from "../../../format/state-look.ts";

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

/** Times at which the number of cores in use changes, in order. */
interface CoreUse {
  readonly atMs: readonly number[];
  /** Cores in use from that moment on. */
  readonly cores: readonly number[];
  readonly most: number;
}

/** The recorded number of cores that the jobs of the run used over time. */
export function coreUse(jobs: readonly JobTimes[], nowMs: number): CoreUse {
  const edges: (readonly [atMs: number, cores: number])[] = [];
  for (const { startedMs, endedMs, cores = 1 } of jobs) {
    if (startedMs === undefined || endedMs === startedMs) continue;
    edges.push([startedMs, cores], [endedMs ?? Math.max(nowMs, startedMs), -cores]);
  }
  // At equal times, ends precede starts, because they free the cores for the starts.
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const use: { atMs: number[]; cores: number[] } = { atMs: [], cores: [] };
  let [sum, most] = [0, 0];
  for (const [atMs, cores] of edges) {
    sum += cores;
    most = Math.max(most, sum);
    use.atMs.push(atMs);
    use.cores.push(sum);
  }
  return { ...use, most };
}

/** Smallest share of the wait without enough free cores for which cores are reported as the cause. */
const MIN_SHARE = 0.8;

/**
 * Why a job waited, judging by its run: for cores, if the run's cores in use plus the job's would have exceeded the
 * run's maximum for most of the wait. Undefined if the cause is something else.
 */
export function explainWait({ queuedMs, startedMs, cores = 1 }: JobTimes, use: CoreUse): string | undefined {
  if (startedMs === undefined || startedMs <= queuedMs) return undefined;
  const room = use.most - cores;
  let busyMs = 0;
  const first = use.atMs.findLastIndex((ms) => ms <= queuedMs);
  for (let place = first; place < use.atMs.length; place += 1) {
    const from = Math.max(queuedMs, place < 0 ? queuedMs : (use.atMs[place] ?? queuedMs));
    if (from >= startedMs) break;
    const to = Math.min(startedMs, use.atMs[place + 1] ?? startedMs);
    if (place >= 0 && (use.cores[place] ?? 0) > room) busyMs += Math.max(0, to - from);
  }
  return busyMs >= (startedMs - queuedMs) * MIN_SHARE
    ? `for cores (the run used up to ${use.most} at a time)`
    : undefined;
}

/** A job of the chain that determined when the run ended. */
export interface PathJob {
  readonly job: JobTimes;
  /** Time from the end of the previous job in the chain (or the beginning of the run) until its start. */
  readonly waitedMs: number;
  readonly ranMs: number;
}

/** Tolerance: a job is queued shortly after the last job that it needs has ended. */
const MOMENT_MS = 50;

/**
 * The chain of jobs, each queued when the previous one ended, that leads to the job that ended last. The previous job
 * is the last one of another step that had ended when this one was queued, preferably of the same sample.
 */
export function findCriticalPath(jobs: readonly JobTimes[], fromMs: number): readonly PathJob[] {
  const ended = jobs.filter(hasRun).sort((a, b) => a.endedMs - b.endedMs);
  const bySample = Map.groupBy(ended, ({ sample }) => sample);
  const path: PathJob[] = [];
  const seen = new Set<string>();
  let job = ended.at(-1);
  while (job !== undefined && !seen.has(job.id)) {
    seen.add(job.id);
    const before = jobBefore(job, ended, bySample);
    const waitedMs = Math.max(0, job.startedMs - (before?.endedMs ?? Math.min(fromMs, job.queuedMs)));
    path.unshift({ job, waitedMs, ranMs: job.endedMs - job.startedMs });
    job = before;
  }
  return path;
}

type EndedJob = JobTimes & { readonly startedMs: number; readonly endedMs: number };

function hasRun(job: JobTimes): job is EndedJob {
  return job.startedMs !== undefined && job.endedMs !== undefined;
}

function jobBefore(
  { step, sample, queuedMs }: EndedJob,
  ended: readonly EndedJob[],
  bySample: ReadonlyMap<string | null, readonly EndedJob[]>,
): EndedJob | undefined {
  const last = (sorted: readonly EndedJob[]) =>
    sorted.findLast((job) => job.endedMs <= queuedMs + MOMENT_MS && job.step !== step);
  if (sample === null) return last(ended);
  return last(bySample.get(sample) ?? []) ?? last(bySample.get(null) ?? []);
}
