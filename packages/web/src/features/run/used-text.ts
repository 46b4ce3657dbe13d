import type { ResourcesUsed } from "@weft/shared/records/job-record.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";

/**
 * `2 s CPU; peak memory 64 MiB (25 % of request); 3.0 MiB read, 2.0 MiB written`.
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
  const share = requestedBytes ? ` (${Math.round((max_rss_bytes / requestedBytes) * 100)} % of request)` : "";
  const how = memory_source === "cgroup" ? ", including cached files" : "";
  return `peak memory ${formatBytes(max_rss_bytes)}${share}${how}`;
}
