import type { RunUsed, UsedByJobs } from "@weft/shared/records/comparison-record.ts";
import type { AttemptRow, JobRow, RunRow } from "../../journal/rows.ts";

/** The fields of an attempt that show what it used. */
type AttemptUse = Pick<AttemptRow, "startedMs" | "endedMs" | "cpuMs" | "maxRssBytes" | "memorySource">;

/** A job with its current attempt. */
export type JobUse = AttemptUse &
  Pick<JobRow, "step" | "tool" | "cache"> & { readonly attempts: readonly AttemptUse[] };

/** Steps beyond this number count only in the sum. */
const MAX_STEPS = 200;

/**
 * The duration of a run and the resources of its jobs, in total and by step in queue order. Includes all attempts, even
 * failed ones.
 */
export function usedByRun(run: Pick<RunRow, "startedMs" | "endedMs">, jobs: readonly JobUse[]): RunUsed {
  const { startedMs, endedMs } = run;
  const bySteps = [...Map.groupBy(jobs, ({ step }) => step)].slice(0, MAX_STEPS);
  return {
    duration_ms: startedMs === null || endedMs === null ? null : Math.max(0, endedMs - startedMs),
    ...usedByJobs(jobs),
    steps: bySteps.map(([step, ofStep]) => ({ step, ...usedByJobs(ofStep) })),
  };
}

function usedByJobs(jobs: readonly JobUse[]): UsedByJobs {
  const cached = jobs.filter(({ cache }) => cache?.decision === "hit");
  const ofJobs = jobs.filter(isMeasurable).flatMap((job) => [...job.attempts, job]);
  const attempts = ofJobs.filter(hasRun);
  const cpu = attempts.flatMap(({ cpuMs }) => cpuMs ?? []);
  const memory = attempts.flatMap(({ maxRssBytes }) => maxRssBytes ?? []);
  return {
    attempts: attempts.length,
    jobs_cached: cached.length,
    running_ms: sum(attempts.map(({ startedMs, endedMs }) => Math.max(0, endedMs - startedMs))),
    cpu_ms: cpu.length === 0 ? null : sum(cpu),
    cpu_measured: cpu.length,
    max_rss_bytes: memory.length === 0 ? null : memory.reduce((a, b) => Math.max(a, b)),
    memory_measured: memory.length,
    memory_sources: [...new Set(attempts.flatMap(({ memorySource }) => memorySource ?? []))].toSorted(),
  };
}

/** False for cache hits, which use no resources, and for expressions, which run within the server. */
function isMeasurable({ cache, tool }: JobUse): boolean {
  return cache?.decision !== "hit" && tool.class === "CommandLineTool";
}

function hasRun(attempt: AttemptUse): attempt is AttemptUse & { readonly startedMs: number; readonly endedMs: number } {
  return attempt.startedMs !== null && attempt.endedMs !== null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
