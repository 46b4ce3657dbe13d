import { useQueries } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { logLinesQuery } from "../../../api/job-log-query.ts";
import { useFocusShortcuts } from "../../../ui/keyboard/use-shortcuts.ts";
import type { LineRange } from "./line-hash.ts";
import type { LogBlock } from "./line-index.ts";
import { LogLine, lookOf } from "./log-line.tsx";
import type { LogReader, LogState } from "./log-reader.ts";
import { LINE_PX, scrollHeight, scrollTopOf, windowAt, type LogWindow } from "./log-window.ts";

export interface LogLinesProps {
  readonly reader: LogReader;
  readonly state: LogState;
  readonly live: boolean;
  readonly linked: LineRange | undefined;
  /** Line that a search has found, from 0. */
  readonly found: number | undefined;
  /** What is searched. */
  readonly q?: string;
  /** False while only the end of the log is known: its lines have no numbers yet. */
  readonly numbered?: boolean;
  /** Where another view of the same log stood. */
  readonly start?: LogPlace;
  readonly onPlace?: (place: LogPlace) => void;
}

/** What a reader looks at, counted from the end, which is known before the beginning. */
export interface LogPlace {
  readonly following: boolean;
  /** Lines from the middle of the box to the end of the log. */
  readonly fromEnd: number;
}

/** Nearer to the end than this counts as being there. */
const END_PX = 30;

/** The lines in sight, with links as numbers. Scrolling is scaled where the log is higher than a browser can scroll. */
export function LogLines(props: LogLinesProps) {
  const { reader, state, live, linked, found, q = "", numbered = true } = props;
  const { lines } = state;
  const { box, scroll, onScroll, following, follow } = useLogScroll(props);
  const shown = windowAt(scroll.top, scroll.boxPx, lines);
  const texts = useTexts(reader, shown);
  const onKeyDown = useFocusShortcuts({ "log.end": () => follow(true) });
  return (
    <div className="relative">
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={`${reader.source.stream} of ${reader.source.jobId}, ${numbered ? "" : "the last "}${lines} lines`}
        className="card code max-h-[min(36rem,70vh)] overflow-auto"
        onScroll={(event) => onScroll(event.currentTarget)}
        onKeyDown={onKeyDown}
      >
        <div className="relative" style={{ height: scrollHeight(lines) }}>
          <div className="sticky top-0" style={{ height: 0 }}>
            {Array.from({ length: shown.count }, (_, n) => (
              <LogLine
                key={shown.first + n}
                number={numbered ? shown.first + n + 1 : undefined}
                text={texts(shown.first + n)}
                top={n * LINE_PX - shown.offsetPx}
                look={lookOf(shown.first + n, linked, found)}
                linked={linked}
                q={q}
                stream={reader.source.stream}
              />
            ))}
          </div>
        </div>
      </div>
      {(live || shown.count < lines) && <FollowButton following={following} live={live} onFollow={follow} />}
    </div>
  );
}

/** Scrolls to the end while following it, else to the line that a search or link names, or to where another view was. */
function useLogScroll({ state, linked, found, start, onPlace }: LogLinesProps) {
  const { lines } = state;
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, boxPx: 600 });
  const [following, follow] = useState(() => linked === undefined && (start?.following ?? true));
  const isReached = linked !== undefined && (lines >= linked.first || state.reachedEnd);
  const target = found ?? (isReached ? linked.first - 1 : undefined);
  const [seenTarget, setSeenTarget] = useState<number | undefined>(undefined);
  if (target !== seenTarget) {
    // A search or a link leads to another line.
    setSeenTarget(target);
    if (target !== undefined) follow(false);
  }
  const goTo = useEffectEvent((line: number) => {
    if (box.current !== null) box.current.scrollTop = scrollTopOf(line, box.current.clientHeight, lines);
  });
  const goToPlace = useEffectEvent(() => {
    if (start?.following === false && target === undefined) goTo(lines - start.fromEnd);
  });
  useLayoutEffect(() => goToPlace(), []);
  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  useEffect(() => {
    if (target !== undefined) goTo(target);
  }, [target]);
  const onScroll = (element: HTMLDivElement): void => {
    const [top, boxPx] = [element.scrollTop, element.clientHeight];
    const isAtEnd = element.scrollHeight - top - boxPx < END_PX;
    setScroll({ top, boxPx });
    follow(isAtEnd);
    const { first, count } = windowAt(top, boxPx, lines);
    onPlace?.({ following: isAtEnd, fromEnd: lines - first - count / 2 });
  };
  return { box, scroll, onScroll, following, follow };
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
