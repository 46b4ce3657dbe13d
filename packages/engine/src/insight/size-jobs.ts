import type { Sizing } from "@weft/shared/records/insight-record.ts";
import type { JobMeasure } from "../journal/read-measures.ts";

/** The minimum number of measured jobs for a prediction. */
export const MIN_JOBS = 5;
/** The CPU time of a shorter job is mostly that of starting it. */
const MIN_MS = 1000;
/** Inputs grow, and a job that lacks memory fails. */
const MEMORY_MARGIN = 1.2;
const AFTER_OUT_OF_MEMORY = 1.5;
const MIB = 1024 * 1024;

/**
 * Requested and used resources of the jobs of one step or tool, and requirements that would have been sufficient.
 * `measures`: newest first.
 */
export function sizeJobs(measures: readonly JobMeasure[]): Sizing {
  const jobs = measures.filter(({ isSuccess }) => isSuccess);
  const outOfMemory = measures.filter(({ ranOutOfMemory }) => ranOutOfMemory);
  const used = {
    cores: distribution(jobs.flatMap(coresUsed)),
    ram_bytes: distribution(jobs.flatMap(({ maxRssBytes }) => maxRssBytes ?? [])),
    time_ms: distribution(jobs.flatMap(durationOf)),
  };
  const [latest] = measures;
  return {
    jobs: jobs.length,
    runs: new Set(jobs.map(({ runId }) => runId)).size,
    requested: { cores: latest?.cores ?? null, ram_bytes: latest?.ramBytes ?? null },
    used,
    memory_sources: [...new Set(jobs.flatMap(({ memorySource }) => memorySource ?? []))],
    out_of_memory_jobs: outOfMemory.length,
    suggestion: suggestionOf(
      used,
      latest?.cores ?? 1,
      Math.max(0, ...outOfMemory.map(({ ramBytes }) => ramBytes ?? 0)),
    ),
  };
}

function coresUsed(job: JobMeasure): readonly number[] {
  const [ms] = durationOf(job);
  return job.cpuMs === null || ms === undefined || ms < MIN_MS ? [] : [job.cpuMs / ms];
}

function durationOf({ startedMs, endedMs }: JobMeasure): readonly number[] {
  return endedMs === null ? [] : [Math.max(0, endedMs - startedMs)];
}

type Distribution = NonNullable<Sizing["used"]["cores"]>;

function distribution(values: readonly number[]): Distribution | null {
  const sorted = values.toSorted((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  return { jobs: sorted.length, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), max };
}

/** The value that a share of all values does not exceed; `sorted` ascending, not empty. */
function quantile(sorted: readonly number[], share: number): number {
  const index = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.max(0, index)] ?? 0;
}

function suggestionOf(
  { cores, ram_bytes: ram }: Sizing["used"],
  requestedCores: number,
  lackedBytes: number,
): Sizing["suggestion"] {
  const coresMin = cores === null || cores.jobs < MIN_JOBS ? null : roundedCores(cores.p95, requestedCores);
  const enough = ram === null ? 0 : Math.max(ram.p95 * MEMORY_MARGIN, ram.max, lackedBytes * AFTER_OUT_OF_MEMORY);
  const ramMinMib = ram === null || ram.jobs < MIN_JOBS ? null : roundedMib(enough);
  if (coresMin === null && ramMinMib === null) return null;
  const lines = [
    ...(coresMin === null ? [] : [`    coresMin: ${coresMin}`]),
    ...(ramMinMib === null ? [] : [`    ramMin: ${ramMinMib}`]),
  ];
  const counts = [...(coresMin === null ? [] : [cores?.jobs ?? 0]), ...(ramMinMib === null ? [] : [ram?.jobs ?? 0])];
  return {
    cores_min: coresMin,
    ram_min_mib: ramMinMib,
    text: ["requirements:", "  ResourceRequirement:", ...lines, ""].join("\n"),
    jobs: Math.min(...counts),
  };
}

/** Rounds up to whole cores, except for tools that request a fraction. Ignores a tenth of a core as noise. */
function roundedCores(used: number, requested: number): number {
  if (requested < 1 && used <= 0.9) return Math.max(1, Math.ceil(used * 10)) / 10;
  return Math.max(1, Math.ceil(used - 0.1));
}

/** Rounds up to the next 16 MiB; larger sizes to the next 64 or 256 MiB. */
function roundedMib(bytes: number): number {
  const mib = bytes / MIB;
  const step = mib < 256 ? 16 : mib < 1024 ? 64 : 256;
  return Math.max(step, Math.ceil(mib / step) * step);
}
