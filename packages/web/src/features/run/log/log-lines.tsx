import { useQueries } from "@tanstack/react-query";
import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type MouseEvent } from "react";
import { useNavigate } from "react-router-dom";
import { logLinesQuery } from "../../../api/job-log-query.ts";
import { useFocusShortcuts } from "../../../ui/keyboard/use-shortcuts.ts";
import { AnsiLine } from "../ansi-text.tsx";
import { lineHash, type LineRange } from "./line-hash.ts";
import type { LogBlock } from "./line-index.ts";
import type { LogReader, LogState } from "./log-reader.ts";
import { LINE_PX, scrollHeight, scrollTopOf, windowAt, type LogWindow } from "./log-window.ts";

export interface LogLinesProps {
  readonly reader: LogReader;
  readonly state: LogState;
  readonly live: boolean;
  readonly linked: LineRange | undefined;
  /** Line that a search has found, from 0. */
  readonly found: number | undefined;
}

/** Nearer to the end than this counts as being there. */
const END_PX = 30;

/** The lines in sight, with links as numbers. Scrolling is scaled where the log is higher than a browser can scroll. */
export function LogLines({ reader, state, live, linked, found }: LogLinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, boxPx: 600 });
  const [following, setFollowing] = useState(linked === undefined);
  const { lines } = state;
  const shown = windowAt(scroll.top, scroll.boxPx, lines);
  const texts = useTexts(reader, shown);
  const isReached = linked !== undefined && (lines >= linked.first || state.reachedEnd);
  const target = found ?? (isReached ? linked.first - 1 : undefined);
  const [seenTarget, setSeenTarget] = useState<number | undefined>(undefined);
  if (target !== seenTarget) {
    // A search or a link leads to another line.
    setSeenTarget(target);
    if (target !== undefined) setFollowing(false);
  }
  const goTo = useEffectEvent((line: number) => {
    if (box.current !== null) box.current.scrollTop = scrollTopOf(line, box.current.clientHeight, lines);
  });
  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  useEffect(() => {
    if (target !== undefined) goTo(target);
  }, [target]);
  const onKeyDown = useFocusShortcuts({ "log.end": () => setFollowing(true) });
  const onScroll = (element: HTMLDivElement): void => {
    setScroll({ top: element.scrollTop, boxPx: element.clientHeight });
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < END_PX);
  };
  return (
    <div className="relative">
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={`${reader.source.stream} of ${reader.source.jobId}, ${lines} lines`}
        className="card code max-h-[min(36rem,70vh)] overflow-auto"
        onScroll={(event) => onScroll(event.currentTarget)}
        onKeyDown={onKeyDown}
      >
        <div className="relative" style={{ height: scrollHeight(lines) }}>
          <div className="sticky top-0" style={{ height: 0 }}>
            {Array.from({ length: shown.count }, (_, place) => (
              <LogLine
                key={shown.first + place}
                number={shown.first + place + 1}
                text={texts(shown.first + place)}
                top={place * LINE_PX - shown.offsetPx}
                look={lookOf(shown.first + place, linked, found)}
                linked={linked}
              />
            ))}
          </div>
        </div>
      </div>
      {(live || shown.count < lines) && <FollowButton following={following} live={live} onFollow={setFollowing} />}
    </div>
  );
}

function FollowButton({
  following,
  live,
  onFollow,
}: {
  readonly following: boolean;
  readonly live: boolean;
  readonly onFollow: (on: boolean) => void;
}) {
  if (!live && following) return null;
  return (
    <button
      type="button"
      className={`btn btn-small absolute right-5 bottom-4 ${following ? "" : "btn-primary"}`}
      aria-pressed={live ? following : undefined}
      onClick={() => onFollow(!following)}
    >
      {live ? (following ? "Following the end" : "Follow the end") : "To the end"}
    </button>
  );
}

/** Reads the blocks in sight; answers undefined for a line that is still being read. */
function useTexts(reader: LogReader, { first, count }: LogWindow): (line: number) => string | undefined {
  const blocks: LogBlock[] = [];
  for (let line = first; line < first + count;) {
    const block = reader.index.blockOf(line);
    blocks.push(block);
    line = block.firstLine + Math.max(1, block.lines);
  }
  const read = useQueries({ queries: blocks.map((block) => logLinesQuery(reader.source, cut(block))) });
  return (line) => {
    const place = blocks.findIndex((block) => line >= block.firstLine && line < block.firstLine + block.lines);
    const block = blocks[place];
    return block && read[place]?.data?.[line - block.firstLine];
  };
}

/** A single line may be larger than anyone reads. */
const LARGEST_READ = 1024 * 1024;

function cut({ from, to }: LogBlock) {
  return { from, to: Math.min(to, from + LARGEST_READ) };
}

type LineLook = "" | "linked" | "found";

function lookOf(line: number, linked: LineRange | undefined, found: number | undefined): LineLook {
  if (line === found) return "found";
  return linked !== undefined && line + 1 >= linked.first && line + 1 <= linked.last ? "linked" : "";
}

const LOOKS: Readonly<Record<LineLook, string>> = {
  "": "hover:bg-sunken",
  linked: "bg-accent-soft",
  found: "bg-accent-soft outline outline-accent -outline-offset-1",
};

/** What stands further right is not drawn. */
const MAX_CHARS = 4000;

interface LogLineProps {
  readonly number: number;
  readonly text: string | undefined;
  readonly top: number;
  readonly look: LineLook;
  readonly linked: LineRange | undefined;
}

const LogLine = memo(function LogLine({ number, text, top, look, linked }: LogLineProps) {
  const navigate = useNavigate();
  const link = (event: MouseEvent): void => {
    event.preventDefault();
    const other = event.shiftKey && linked !== undefined ? linked.first : number;
    const range = { first: Math.min(number, other), last: Math.max(number, other) };
    void navigate({ search: location.search, hash: lineHash(range) }, { replace: true, preventScrollReset: true });
  };
  return (
    <div
      className={`absolute left-0 flex w-max min-w-full whitespace-pre ${LOOKS[look]}`}
      style={{ top, height: LINE_PX, lineHeight: `${LINE_PX}px` }}
    >
      <a
        href={`${location.search}#L${number}`}
        aria-label={`Line ${number}`}
        tabIndex={-1}
        onClick={link}
        className="sticky left-0 w-18 shrink-0 bg-surface pr-3 text-right text-soft select-none hover:text-accent hover:underline"
      >
        {number}
      </a>
      <span className="pr-4">
        {text === undefined ? "…" : <AnsiLine line={text.slice(0, MAX_CHARS)} />}
        {text !== undefined && text.length > MAX_CHARS && <span className="text-soft"> … cut here</span>}
      </span>
    </div>
  );
});
