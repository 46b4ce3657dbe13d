import type { Sizing } from "@weft/shared/records/insight-record.ts";
import type { ResourcesUsed } from "@weft/shared/records/job-record.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatBytes } from "../format/format-bytes.ts";

interface SizingRow {
  readonly name: string;
  readonly requested: string;
  /** Half of the jobs used at most the first value, 95% at most the second; the third is the maximum. */
  readonly used: readonly [p50: string, p95: string, max: string] | undefined;
  /** Number of measured jobs. */
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

/** The basis of the figures: `Based on 124 jobs in 6 runs.` */
export function basisText({ jobs, runs, memory_sources, out_of_memory_jobs }: Sizing): string {
  if (jobs === 0) return "No measurements yet.";
  const sentences = [`Based on ${countText(jobs, "job")} in ${countText(runs, "run")}.`];
  if (memory_sources.includes("sampled")) sentences.push("Some memory figures are sampled and may miss short peaks.");
  if (memory_sources.includes("cgroup")) sentences.push("Memory figures from the kernel include cached files.");
  if (out_of_memory_jobs > 0) sentences.push(`${countText(out_of_memory_jobs, "job")} ran out of memory.`);
  return sentences.join(" ");
}

/**
 * `2 s CPU; peak memory 64 MiB (25% of request); 3.0 MiB read, 2.0 MiB written`.
 * `requestedBytes`: the memory that was requested; null if unknown.
 */
export function usedText(used: ResourcesUsed, requestedBytes: number | null): string {
  const { cpu_ms, io_read_bytes, io_write_bytes } = used;
  const parts = [
    cpu_ms === null ? "" : `${formatDuration(cpu_ms)} CPU`,
    memoryText(used, requestedBytes),
    io_read_bytes === null || io_write_bytes === null
      ? ""
      : `${formatBytes(io_read_bytes)} read, ${formatBytes(io_write_bytes)} written`,
  ];
  return parts.filter((part) => part !== "").join("; ") || "not measured";
}

function memoryText({ max_rss_bytes, memory_source }: ResourcesUsed, requestedBytes: number | null): string {
  if (max_rss_bytes === null) return "";
  const share = requestedBytes ? ` (${Math.round((max_rss_bytes / requestedBytes) * 100)}% of request)` : "";
  const how = memory_source === "cgroup" ? ", including cached files" : "";
  return `peak memory ${formatBytes(max_rss_bytes)}${share}${how}`;
}
