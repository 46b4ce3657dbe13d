import type { DiskUsage } from "@weft/shared/records/operations-record.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { UsageQuery } from "../journal/read-storage.ts";
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
    processes: read.usageByProcess(owner, SHOWN_PROCESSES),
    runs: entries.map(({ run_id, name, owner: runOwner, kind, id, ended_ms, in_use, ...bytes }) => ({
      run_id,
      url: caller.links.run(run_id),
      name,
      owner: runOwner,
      kind,
      id,
      ended_at: nullableTime(ended_ms),
      ...bytes,
      in_use: in_use === 1,
    })),
    total,
    next_page_token: nextPageToken,
  };
}
