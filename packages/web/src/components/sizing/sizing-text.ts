import type { Sizing } from "@weft/shared/records/insight-record.ts";
import { countText } from "../../format/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";

export interface SizingRow {
  readonly name: string;
  readonly requested: string;
  /** Half of the jobs used no more than the first, 95 of 100 no more than the second; the third is the maximum. */
  readonly used: readonly [p50: string, p95: string, max: string] | undefined;
  /** Measured jobs. */
  readonly jobs: number;
}

/** Requested and used resources, line by line. */
export function sizingRows({ requested, used }: Sizing): readonly SizingRow[] {
  return [
    rowOf("Cores", requested.cores === null ? "" : coresText(requested.cores), used.cores, coresText),
    rowOf("Memory", requested.ram_bytes === null ? "" : formatBytes(requested.ram_bytes), used.ram_bytes, formatBytes),
    rowOf("Time", "", used.time_ms, formatDuration),
  ];
}

function rowOf(
  name: string,
  requested: string,
  used: Sizing["used"]["time_ms"],
  text: (value: number) => string,
): SizingRow {
  return {
    name,
    requested: requested === "" ? "–" : requested,
    used: used === null ? undefined : [text(used.p50), text(used.p95), text(used.max)],
    jobs: used?.jobs ?? 0,
  };
}

export function coresText(cores: number): string {
  return String(Math.round(cores * 10) / 10);
}

/** The basis of the figures: `From 124 jobs in 6 runs.` */
export function basisText({ jobs, runs, memory_sources, out_of_memory_jobs }: Sizing): string {
  if (jobs === 0) return "No measurements yet.";
  const sentences = [`Based on ${countText(jobs, "job")} in ${countText(runs, "run")}.`];
  if (memory_sources.includes("sampled")) sentences.push("Some memory figures are sampled and may miss short peaks.");
  if (memory_sources.includes("cgroup")) sentences.push("Memory figures from the kernel include cached files.");
  if (out_of_memory_jobs > 0) sentences.push(`${countText(out_of_memory_jobs, "job")} ran out of memory.`);
  return sentences.join(" ");
}
