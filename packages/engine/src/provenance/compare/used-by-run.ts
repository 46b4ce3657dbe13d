import type { RunUsed, UsedByJobs } from "@weft/shared/records/comparison-record.ts";
import type { ResourcesUsed } from "@weft/shared/records/job-record.ts";
import type { JobRow, RunRow } from "../../journal/rows.ts";

/** The fields of a job that show what it used. */
export type JobUse = Pick<
  JobRow,
  "step" | "tool" | "cache" | "startedMs" | "endedMs" | "attempts" | "cpuMs" | "maxRssBytes" | "memorySource"
>;

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

interface AttemptUse {
  readonly runningMs: number;
  readonly cpuMs: number | null;
  readonly maxRssBytes: number | null;
  readonly memorySource: ResourcesUsed["memory_source"];
}

function usedByJobs(jobs: readonly JobUse[]): UsedByJobs {
  const cached = jobs.filter(({ cache }) => cache?.decision === "hit");
  const attempts = jobs.filter(isMeasurable).flatMap(attemptsOf);
  const cpu = attempts.flatMap(({ cpuMs }) => cpuMs ?? []);
  const memory = attempts.flatMap(({ maxRssBytes }) => maxRssBytes ?? []);
  return {
    attempts: attempts.length,
    jobs_cached: cached.length,
    running_ms: sum(attempts.map(({ runningMs }) => runningMs)),
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

/** The attempts that have begun and ended. */
function attemptsOf(job: JobUse): readonly AttemptUse[] {
  const last = job.startedMs === null || job.endedMs === null ? [] : [useOf(job, job.startedMs, job.endedMs)];
  const earlier = job.attempts.flatMap(({ started_ms: startedMs, ended_ms: endedMs, ...attempt }) => {
    const { cpu_ms: cpuMs, max_rss_bytes: maxRssBytes, memory_source: memorySource = null } = attempt;
    return startedMs === null ? [] : [useOf({ cpuMs, maxRssBytes, memorySource }, startedMs, endedMs)];
  });
  return [...earlier, ...last];
}

type Measured = Omit<AttemptUse, "runningMs">;

function useOf({ cpuMs, maxRssBytes, memorySource }: Measured, startedMs: number, endedMs: number): AttemptUse {
  return { runningMs: Math.max(0, endedMs - startedMs), cpuMs, maxRssBytes, memorySource };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
