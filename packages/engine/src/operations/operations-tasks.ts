import type { DiskUsage } from "@weft/shared/records/operations-record.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { UsageQuery, UsageRow } from "../journal/read-storage.ts";
import type { Caller } from "../port/caller.ts";
import { nullableTime } from "../present/present-time.ts";
import type { Reading } from "../read/reading.ts";
import { loadCurves } from "./load-curves.ts";

const MAX_SPANS = 50_000;
const SHOWN_PROCESSES = 500;

export function operationsTasks({ read }: Reading) {
  return (caller: Caller) => ({
    load: (fromMs: number, toMs: number) => {
      const spans = read.jobSpans(fromMs, MAX_SPANS);
      return { jobs: loadCurves(spans, fromMs, toMs), isTruncated: spans.length >= MAX_SPANS };
    },
    disk: (query: Omit<UsageQuery, "owner">): DiskUsage => diskUsage(caller, query, read),
  });
}

/** Disk usage of ended runs, of those that the caller may see. */
function diskUsage(caller: Caller, query: Omit<UsageQuery, "owner">, read: LogReader): DiskUsage {
  const owner = visibleOwner(caller);
  const { entries, total, nextPageToken } = read.usageByRun({ ...query, owner });
  return {
    processes: read
      .usageByProcess(owner, SHOWN_PROCESSES)
      .map(({ kind, processId, runs, ...usage }) => ({ kind, id: processId, runs, ...bytesOf(usage) })),
    runs: entries.map(({ runId, name, owner: runOwner, kind, processId, endedMs, isInUse, ...usage }) => ({
      run_id: runId,
      url: caller.links.run(runId),
      name,
      owner: runOwner,
      kind,
      id: processId,
      ended_at: nullableTime(endedMs),
      ...bytesOf(usage),
      in_use: isInUse,
    })),
    total,
    next_page_token: nextPageToken,
  };
}

function bytesOf({ outputs, intermediate, logs }: UsageRow) {
  return {
    outputs_bytes: outputs,
    intermediate_bytes: intermediate,
    logs_bytes: logs,
    total_bytes: outputs + intermediate + logs,
  };
}
