import { useMemo, useState } from "react";
import { useLocation } from "react-router-dom";
import type { LogSource } from "../../../api/job-log-query.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { parseLineHash } from "./line-hash.ts";
import { LogLines, type LogPlace } from "./log-lines.tsx";
import { LogSearchBar } from "./log-search-bar.tsx";
import { useLogReader } from "./use-log-reader.ts";

export interface LogViewProps {
  readonly source: LogSource;
  /** Size in the job's record; the log of a running job may have grown since. */
  readonly sizeBytes: number;
  /** The log may still grow, so the view can follow its end. */
  readonly live: boolean;
  /** False if another stream is shown too: a line in the URL may belong to that one. */
  readonly isAlone?: boolean;
}

/** Larger logs show only their end. */
const LARGEST_BYTES = 1024 ** 3;

/** A log of any length: keeps only the visible lines, and follows the end until the reader scrolls up. */
export function LogView({ source, sizeBytes, live, isAlone = true }: LogViewProps) {
  const [from] = useState(() => Math.max(0, sizeBytes - LARGEST_BYTES));
  const { reader, state } = useLogReader(source, from, live);
  const { hash } = useLocation();
  const linked = useMemo(() => (isAlone ? parseLineHash(hash) : undefined), [hash, isAlone]);
  const [found, setFound] = useState<number | undefined>(undefined);
  const [q, setQ] = useState("");
  const [isWrapped, setWrapped] = useWrap();
  const [place, setPlace] = useState<LogPlace>({ following: true, fromEnd: 0 });
  const isLong = sizeBytes - from > 2 * TAIL_BYTES;
  const isTail = isLong && !state.reachedEnd && linked === undefined && found === undefined;
  if (state.error !== undefined && state.lines === 0) return <ErrorCard error={state.error} />;
  if (state.lines === 0 && !isTail) {
    if (!state.reachedEnd) return <Skeleton rows={8} />;
    return <p className="card px-4 py-6 text-soft">{live ? "No output yet." : "Empty log."}</p>;
  }
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <LogSearchBar source={source} from={from} q={q} onQ={setQ} onFound={setFound} />
        <WrapButton isWrapped={isWrapped} onWrap={setWrapped} />
      </div>
      {isTail && <CountingNote share={(state.bytes - from) / (sizeBytes - from)} />}
      {from > 0 && (
        <p className="text-canceled">
          Only the last {formatBytes(LARGEST_BYTES)} are shown, with line numbers counted from there. Download the log
          for the rest.
        </p>
      )}
      {isTail ? (
        <LogTail source={source} sizeBytes={sizeBytes} live={live} isWrapped={isWrapped} onPlace={setPlace} />
      ) : (
        <LogLines {...{ reader, state, live, linked, found, isWrapped }} q={q.trim()} start={place} />
      )}
    </div>
  );
}

const WRAP_KEY = "weft-log-wrap";

/** Whether long lines are wrapped, for all logs; the browser remembers it. */
function useWrap(): readonly [boolean, (isWrapped: boolean) => void] {
  const [isWrapped, setWrapped] = useState(() => localStorage.getItem(WRAP_KEY) === "yes");
  const choose = (next: boolean): void => {
    localStorage.setItem(WRAP_KEY, next ? "yes" : "no");
    setWrapped(next);
  };
  return [isWrapped, choose];
}

interface WrapButtonProps {
  readonly isWrapped: boolean;
  readonly onWrap: (isWrapped: boolean) => void;
}

function WrapButton({ isWrapped, onWrap }: WrapButtonProps) {
  return (
    <button type="button" className="btn ml-auto" aria-pressed={isWrapped} onClick={() => onWrap(!isWrapped)}>
      Wrap lines
    </button>
  );
}

function CountingNote({ share }: { readonly share: number }) {
  return (
    <p className="text-soft tabular-nums">
      Showing the end while the rest loads ({Math.min(99, Math.floor(share * 100))} %)…
    </p>
  );
}

/** Number of bytes at the end that are loaded first. */
const TAIL_BYTES = 256 * 1024;

interface LogTailProps {
  readonly source: LogSource;
  readonly sizeBytes: number;
  readonly live: boolean;
  readonly isWrapped: boolean;
  readonly onPlace: (place: LogPlace) => void;
}

/** The end of a long log, shown while the index of the rest is loading. */
function LogTail({ source, sizeBytes, live, isWrapped, onPlace }: LogTailProps) {
  const { reader, state } = useLogReader(source, sizeBytes - TAIL_BYTES, live);
  if (state.lines === 0) return <Skeleton rows={8} />;
  return (
    <LogLines
      reader={reader}
      state={state}
      live={live}
      linked={undefined}
      found={undefined}
      numbered={false}
      isWrapped={isWrapped}
      onPlace={onPlace}
    />
  );
}
