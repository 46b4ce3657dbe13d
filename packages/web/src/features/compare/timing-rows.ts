import type { RunUsed, UsedByJobs } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";

export type TimedRun = Pick<Run, "duration_ms" | "end_time"> & {
  /** The resource usage; undefined until it is known. */
  readonly used: RunUsed | undefined;
};

/** One line of a table: a cell for each run, in their order. */
export interface TimingRow {
  readonly name: string;
  readonly cells: readonly string[];
}

/** Durations and resource usage of the runs in total; with the difference from the first run in percent. */
export function timingRows(runs: readonly TimedRun[]): readonly TimingRow[] {
  const cells = (text: (used: RunUsed, base: RunUsed | undefined) => string) =>
    runs.map(({ used }, place) => (used === undefined ? "not available yet" : text(used, baseOf(runs, place))));
  return [
    { name: "Duration", cells: runs.map((run, place) => tookText(run, place === 0 ? undefined : runs[0])) },
    {
      name: "Job time, total",
      cells: cells(({ running_ms: ms }, base) => formatDuration(ms) + share(ms, base?.running_ms)),
    },
    { name: "CPU time, total", cells: cells(cpuText) },
    { name: "Peak memory (largest job)", cells: cells(memoryText) },
    { name: "Job attempts", cells: cells(({ attempts }) => String(attempts)) },
    { name: "Cached jobs", cells: cells(({ jobs_cached }) => String(jobs_cached)) },
  ];
}

/** One row per step, in the order of the first run that has it. Leaves out steps that only evaluate expressions. */
export function stepTimingRows(runs: readonly TimedRun[]): readonly TimingRow[] {
  const used = runs.flatMap((run) => run.used?.steps ?? []);
  const steps = new Set(used.filter((each) => each.attempts + each.jobs_cached > 0).map(({ step }) => step));
  return [...steps].map((step) => ({
    name: step === "" ? "Tool" : step,
    cells: runs.map((run) => stepText(run.used?.steps.find((each) => each.step === step))),
  }));
}

/** Peaks measured in different ways cannot be compared. */
export function hasMixedMemory(runs: readonly TimedRun[]): boolean {
  return new Set(runs.flatMap(({ used }) => used?.memory_sources ?? [])).size > 1;
}

function baseOf(runs: readonly TimedRun[], place: number): RunUsed | undefined {
  return place === 0 ? undefined : runs[0]?.used;
}

function tookText({ duration_ms: ms, end_time }: TimedRun, base: TimedRun | undefined): string {
  if (end_time === null) return ms === null ? "not started" : `${formatDuration(ms)} so far`;
  if (ms === null) return "never started";
  return formatDuration(ms) + (base?.end_time == null ? "" : share(ms, base.duration_ms));
}

function cpuText(used: UsedByJobs, base?: UsedByJobs): string {
  const { cpu_ms: ms, cpu_measured: measured, attempts } = used;
  if (ms === null) return "not measured";
  return formatDuration(ms) + share(ms, base?.cpu_ms) + partText(measured, attempts);
}

function memoryText(used: UsedByJobs, base?: UsedByJobs): string {
  const { max_rss_bytes: bytes, memory_measured: measured, attempts } = used;
  if (bytes === null) return "not measured";
  return formatBytes(bytes) + share(bytes, base?.max_rss_bytes) + partText(measured, attempts);
}

function partText(measured: number, attempts: number): string {
  return measured === attempts ? "" : `, ${measured} of ${attempts} measured`;
}

function stepText(used: UsedByJobs | undefined): string {
  if (used === undefined) return "none";
  const { attempts, jobs_cached: cached, running_ms: runningMs, cpu_ms: cpuMs, max_rss_bytes: bytes } = used;
  if (attempts === 0) return cached > 0 ? "cached" : "no jobs";
  const parts = [`${formatDuration(runningMs)} job time`];
  if (cpuMs !== null) parts.push(`${formatDuration(cpuMs)} CPU`);
  if (bytes !== null) parts.push(`${formatBytes(bytes)} memory`);
  return parts.join(", ");
}

/** ` (+20%)` relative to the base; empty if unknown or below half a percent. */
function share(value: number, base: number | null | undefined): string {
  if (base === null || base === undefined || base === 0) return "";
  const percent = Math.round((value / base - 1) * 100);
  return percent === 0 ? "" : ` (${percent > 0 ? "+" : "−"}${Math.abs(percent)}%)`;
}
