import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { LogSource } from "../../../api/job-log-query.ts";
import { LogReader, type LogState } from "./log-reader.ts";

/** Reads a log from an offset while the calling component is mounted. Ignores later changes of `from` and `live`. */
export function useLogReader(
  { runId, jobId, stream }: LogSource,
  from: number,
  live: boolean,
): { readonly reader: LogReader; readonly state: LogState } {
  const [first] = useState({ from, isLive: live });
  const reader = useMemo(() => new LogReader({ runId, jobId, stream }, first), [runId, jobId, stream, first]);
  useEffect(() => reader.setLive(live), [reader, live]);
  return { reader, state: useSyncExternalStore(reader.subscribe, reader.state) };
}
