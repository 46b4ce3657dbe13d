import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import type { LogSource } from "../../../api/job-log-query.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { parseLineHash } from "./line-hash.ts";
import { LogLines } from "./log-lines.tsx";
import { LogReader } from "./log-reader.ts";
import { LogSearchBar } from "./log-search-bar.tsx";

export interface LogViewProps {
  readonly source: LogSource;
  /** As the job's record says; a running job's log is longer by now. */
  readonly sizeBytes: number;
  /** More may come: the view can follow the end. */
  readonly live: boolean;
}

/** Of a larger log only the end is shown. */
const LARGEST_BYTES = 1024 ** 3;

/** A log of any length: only the lines in sight are held. It follows the end until the reader scrolls up. */
export function LogView({ source, sizeBytes, live }: LogViewProps) {
  const { runId, jobId, stream } = source;
  const [from] = useState(() => Math.max(0, sizeBytes - LARGEST_BYTES));
  const [startLive] = useState(live);
  const reader = useMemo(
    () => new LogReader({ runId, jobId, stream }, { from, isLive: startLive }),
    [runId, jobId, stream, from, startLive],
  );
  useEffect(() => reader.setLive(live), [reader, live]);
  const state = useSyncExternalStore(reader.subscribe, reader.state);
  const { hash } = useLocation();
  const linked = useMemo(() => parseLineHash(hash), [hash]);
  const [found, setFound] = useState<number | undefined>(undefined);
  if (state.error !== undefined && state.lines === 0) return <ErrorCard error={state.error} />;
  if (state.lines === 0) {
    if (!state.reachedEnd) return <Skeleton rows={8} />;
    return (
      <p className="card px-4 py-6 text-soft">{live ? "Nothing was written yet." : "Nothing was written here."}</p>
    );
  }
  return (
    <div className="space-y-2">
      <LogSearchBar source={source} from={from} onFound={setFound} />
      {from > 0 && (
        <p className="text-canceled">
          Only the last {formatBytes(LARGEST_BYTES)} are shown, and lines are counted from there; Download has all.
        </p>
      )}
      <LogLines reader={reader} state={state} live={live} linked={linked} found={found} />
    </div>
  );
}
