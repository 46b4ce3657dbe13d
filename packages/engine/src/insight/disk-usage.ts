import type { DiskUsage } from "@weft/shared/records/operations-record.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { UsageQuery, UsageRow } from "../journal/read-storage.ts";
import type { Caller } from "../port/engine.ts";
import { nullableTime } from "../present/present-time.ts";

const SHOWN_PROCESSES = 500;

/** Disk usage of ended runs, of those that the caller may see. */
export function diskUsage(caller: Caller, query: Omit<UsageQuery, "owner">, read: LogReader): DiskUsage {
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
