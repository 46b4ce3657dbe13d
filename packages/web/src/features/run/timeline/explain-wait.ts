import type { JobTimes } from "../../../api/queries/all-jobs.ts";

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
