import { useQuery } from "@tanstack/react-query";
import { numberText, pluralOf } from "@weft/shared/text/count-text.ts";
import { useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router-dom";
import { streamLog, type LogSource } from "../../../api/queries/job-queries.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { plainLine } from "../../../format/parse-ansi.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Persisted, usePersisted } from "../../../ui/persisted.ts";
import { SearchField, useSettled } from "../../../ui/search-field.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { LogLines, type LogPlace } from "./log-lines.tsx";
import { useLogReader } from "./log-reader.ts";
import { parseLineHash } from "./log-window.ts";

interface LogViewProps {
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

const PAUSE_MS = 250;

/** A log of any length: keeps only the visible lines, and follows the end until the reader scrolls up. */
export function LogView({ source, sizeBytes, live, isAlone = true }: LogViewProps) {
  const [from] = useState(() => Math.max(0, sizeBytes - LARGEST_BYTES));
  const { reader, state } = useLogReader(source, from, live);
  const { hash } = useLocation();
  const linked = useMemo(() => (isAlone ? parseLineHash(hash) : undefined), [hash, isAlone]);
  const [found, setFound] = useState<number | undefined>(undefined);
  const [q, setQ] = useState("");
  const [wrapped, setWrapped] = usePersisted(wrap);
  const isWrapped = wrapped === "yes";
  const [place, setPlace] = useState<LogPlace>({ following: true, fromEnd: 0 });
  const isLong = sizeBytes - from > 2 * TAIL_BYTES;
  const isTail = isLong && !state.reachedEnd && linked === undefined && found === undefined;
  if (state.error !== undefined && state.lines === 0) return <ErrorCard error={state.error} />;
  if (state.lines === 0 && !isTail) {
    if (!state.reachedEnd) return <Skeleton rows={8} />;
    return <Notice>{live ? "No output yet." : "Empty log."}</Notice>;
  }
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <LogSearchBar source={source} from={from} q={q} onQ={setQ} onFound={setFound} />
        <Button className="ml-auto" aria-pressed={isWrapped} onClick={() => setWrapped(isWrapped ? "no" : "yes")}>
          Wrap lines
        </Button>
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

/** Whether long lines are wrapped, for all logs. */
const wrap = new Persisted<"yes" | "no">("weft-log-wrap", (kept) => (kept === "yes" ? "yes" : "no"));

function CountingNote({ share }: { readonly share: number }) {
  return (
    <p className="text-soft tabular-nums">
      Showing the end while the rest loads ({Math.min(99, Math.floor(share * 100))}%)…
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

interface LogSearchBarProps {
  readonly source: LogSource;
  readonly from: number;
  readonly q: string;
  readonly onQ: (q: string) => void;
  /** The current match, a line number from 0; undefined without a search. */
  readonly onFound: (line: number | undefined) => void;
}

/** Searches the whole log; Enter and the buttons move between matches. */
function LogSearchBar({ source, from, q, onQ, onFound }: LogSearchBarProps) {
  const [at, setAt] = useState(0);
  const { matches, isSearching } = useLogSearch(source, from, q);
  const count = matches?.length ?? 0;
  const current = count === 0 ? undefined : matches?.[at % count];
  useEffect(() => onFound(current), [current, onFound]);
  const go = (step: 1 | -1): void => setAt((old) => (old + step + count) % Math.max(1, count));
  return (
    <div role="search" className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <SearchField
        className="w-full min-w-24 max-w-xs"
        label="Search in this log"
        value={q}
        onChange={(text) => {
          onQ(text);
          setAt(0);
        }}
        onEnter={(event) => go(event.shiftKey ? -1 : 1)}
      />
      <IconButton label="Previous match" icon="up" disabled={count === 0} onClick={() => go(-1)} />
      <IconButton label="Next match" icon="down" disabled={count === 0} onClick={() => go(1)} />
      <span role="status" className="text-soft tabular-nums max-sm:text-small">
        {isSearching ? "Searching…" : matches === undefined ? "" : countText(at, count)}
      </span>
    </div>
  );
}

function countText(at: number, count: number): string {
  if (count === 0) return "No matches";
  return `${numberText((at % count) + 1)} of ${numberText(count)}${count >= MAX_MATCHES ? "+" : ""} ${pluralOf("line", count)}`;
}

/** Searches a log when typing pauses, without keeping its text. Lines count from 0; undefined while nothing is found. */
function useLogSearch(source: LogSource, from: number, q: string) {
  const asked = useSettled(q.trim(), PAUSE_MS);
  const found = useQuery({
    queryKey: ["job-log-search", source.runId, source.jobId, source.stream, from, asked],
    queryFn: ({ signal }) => searchLog(source, from, { q: asked, signal }),
    enabled: asked !== "",
    gcTime: 10_000,
    structuralSharing: false,
  });
  return { matches: asked === "" ? undefined : found.data, isSearching: asked !== "" && found.isFetching };
}

async function searchLog(
  source: LogSource,
  from: number,
  { q, signal }: { readonly q: string; readonly signal: AbortSignal },
): Promise<readonly number[]> {
  const search = new LineSearch(q);
  const decoder = new TextDecoder();
  await streamLog(
    source,
    { from },
    { signal, onBytes: (bytes) => search.push(decoder.decode(bytes, { stream: true })) },
  );
  search.push(decoder.decode());
  search.end();
  return search.matches;
}

/** Maximum number of listed matches. */
export const MAX_MATCHES = 10_000;
/** Maximum number of searched characters per line. */
const MAX_LINE_CHARS = 100_000;

/** Finds the lines of a streamed log that contain a text, ignoring case. Keeps at most one line in memory. */
export class LineSearch {
  readonly #wanted: string;
  readonly #matches: number[] = [];
  #rest = "";
  #line = 0;

  constructor(q: string) {
    this.#wanted = q.toLowerCase();
  }

  /** Numbers of lines, from 0. */
  get matches(): readonly number[] {
    return this.#matches;
  }

  get isFull(): boolean {
    return this.#matches.length >= MAX_MATCHES;
  }

  push(piece: string): void {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#look(line);
  }

  /** Call at the end of the log, with or without a final line break. */
  end(): void {
    if (this.#rest !== "") this.#look(this.#rest);
    this.#rest = "";
  }

  #look(line: string): void {
    if (!this.isFull && plainLine(line).toLowerCase().includes(this.#wanted)) this.#matches.push(this.#line);
    this.#line += 1;
  }
}
