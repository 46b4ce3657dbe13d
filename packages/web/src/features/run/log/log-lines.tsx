import { useQueries } from "@tanstack/react-query";
import { countText } from "@weft/shared/text/count-text.ts";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { logLinesQuery } from "../../../api/queries/job-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { useFocusShortcuts } from "../../../ui/keyboard/use-shortcuts.ts";
import type { LogBlock } from "./line-index.ts";
import type { LogReader, LogState } from "./log-reader.ts";
import { LogLine, lookOf } from "./log-text.tsx";
import {
  type LineRange,
  type LogWindow,
  anchorAt,
  LINE_PX,
  scrollHeight,
  scrollTopOf,
  scrollTopOfAnchor,
  windowAround,
  windowAt,
} from "./log-window.ts";

interface LogLinesProps {
  readonly reader: LogReader;
  readonly state: LogState;
  readonly live: boolean;
  readonly linked: LineRange | undefined;
  /** Current search match, a line number from 0. */
  readonly found: number | undefined;
  /** Search text. */
  readonly q?: string;
  /** Wraps long lines. */
  readonly isWrapped?: boolean;
  /** False while only the end of the log is known: its lines have no numbers yet. */
  readonly numbered?: boolean;
  /** Scroll position of the previous view of this log. */
  readonly start?: LogPlace;
  readonly onPlace?: (place: LogPlace) => void;
}

/** The reader's position, counted from the end, because the end loads before the beginning. */
export interface LogPlace {
  readonly following: boolean;
  /** Lines from the middle of the box to the end of the log. */
  readonly fromEnd: number;
}

/** The distance from the end within which the view follows new lines. */
const END_PX = 30;

/** All lines of a shorter log exist while they are wrapped: it may not be high enough to be scrolled by lines. */
const SHORT_LINES = 300;

/** The visible lines with linked numbers. Scales scrolling if the log is higher than a browser can scroll. */
export function LogLines(props: LogLinesProps) {
  const { reader, state, live, numbered = true, isWrapped = false } = props;
  const { lines } = state;
  const { box, scroll, onScroll, following, follow } = useLogScroll(props);
  const onKeyDown = useFocusShortcuts({ "log.end": () => follow(true) });
  const isWhole = isWrapped && lines <= SHORT_LINES;
  return (
    <div className="relative">
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={`${reader.source.stream} of ${reader.source.jobId}, ${numbered ? "" : "the last "}${countText(lines, "line")}`}
        className={`card code max-h-[min(36rem,70vh)] overflow-auto ${live ? "min-h-16" : ""}`}
        onScroll={(event) => onScroll(event.currentTarget)}
        onKeyDown={onKeyDown}
      >
        {isWhole ? (
          <div>
            <Lines {...props} first={0} count={lines} />
          </div>
        ) : (
          <div className="relative" style={{ height: scrollHeight(lines) }}>
            <div className="sticky top-0" style={{ height: 0 }}>
              {isWrapped ? <WrappedLines {...props} scroll={scroll} /> : <FixedLines {...props} scroll={scroll} />}
            </div>
          </div>
        )}
      </div>
      {(live || scrollHeight(lines) > scroll.boxPx) && (
        <FollowButton following={following} live={live} onFollow={follow} />
      )}
    </div>
  );
}

interface Scroll {
  readonly top: number;
  readonly boxPx: number;
}

type ScrolledProps = LogLinesProps & { readonly scroll: Scroll };

function FixedLines({ scroll, ...props }: ScrolledProps) {
  const { offsetPx, ...shown } = windowAt(scroll.top, scroll.boxPx, props.state.lines);
  return <Lines {...props} {...shown} topOf={(n) => n * LINE_PX - offsetPx} />;
}

/** Lines above and below the one at the anchor, each as high as it needs to be. */
function WrappedLines({ scroll, ...props }: ScrolledProps) {
  const { lines } = props.state;
  const anchor = anchorAt(scroll.top, scroll.boxPx, lines);
  const { first, count } = windowAround(anchor, scroll.boxPx, lines);
  const { line, share, topPx } = anchor;
  return (
    <div className="absolute inset-x-0" style={{ top: topPx, transform: `translateY(${-share * 100}%)` }}>
      <div className="absolute inset-x-0 bottom-full">
        <Lines {...props} first={first} count={line - first} />
      </div>
      <Lines {...props} first={line} count={1} />
      <div className="absolute inset-x-0 top-full">
        <Lines {...props} first={line + 1} count={first + count - line - 1} />
      </div>
    </div>
  );
}

interface LinesProps extends LogLinesProps, Omit<LogWindow, "offsetPx"> {
  /** The position of a line in the window; absent if lines are wrapped. */
  readonly topOf?: (n: number) => number;
}

function Lines({ reader, linked, found, q = "", numbered = true, first, count, topOf }: LinesProps) {
  const texts = useTexts(reader, { first, count });
  return Array.from({ length: count }, (_, n) => (
    <LogLine
      key={first + n}
      number={numbered ? first + n + 1 : undefined}
      text={texts(first + n)}
      top={topOf?.(n)}
      look={lookOf(first + n, linked, found)}
      linked={linked}
      q={q}
      stream={reader.source.stream}
    />
  ));
}

/** Scrolls to the end while following it, else to the line of a search or link, or to the position of the previous view. */
function useLogScroll({ state, linked, found, start, onPlace, isWrapped = false }: LogLinesProps) {
  const { lines } = state;
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState<Scroll>({ top: 0, boxPx: 600 });
  const [following, follow] = useState(() => linked === undefined && (start?.following ?? true));
  const isReached = linked !== undefined && (lines >= linked.first || state.reachedEnd);
  const target = found ?? (isReached ? linked.first - 1 : undefined);
  const [seenTarget, setSeenTarget] = useState<number | undefined>(undefined);
  if (target !== seenTarget) {
    // The line of the search or link has changed.
    setSeenTarget(target);
    if (target !== undefined) follow(false);
  }
  const goTo = useEffectEvent((line: number) => {
    if (box.current !== null) showLine(box.current, line, lines, isWrapped);
  });
  const goToPlace = useEffectEvent(() => {
    if (start?.following === false && target === undefined) goTo(lines - start.fromEnd);
  });
  useLayoutEffect(() => goToPlace(), []);
  useKeptEnd(box, following);
  useEffect(() => {
    if (target !== undefined) goTo(target);
  }, [target]);
  const onScroll = (element: HTMLDivElement): void => {
    const [top, boxPx] = [element.scrollTop, element.clientHeight];
    const isAtEnd = element.scrollHeight - top - boxPx < END_PX;
    setScroll({ top, boxPx });
    follow(isAtEnd);
    const { first, count } = isWrapped
      ? { first: anchorAt(top, boxPx, lines).line, count: 0 }
      : windowAt(top, boxPx, lines);
    onPlace?.({ following: isAtEnd, fromEnd: lines - first - count / 2 });
  };
  return { box, scroll, onScroll, following, follow };
}

/** Keeps the end visible, even when wrapped lines grow because their texts arrive. */
function useKeptEnd(box: { readonly current: HTMLDivElement | null }, following: boolean): void {
  const keepEnd = useEffectEvent(() => {
    if (following) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  useLayoutEffect(() => {
    keepEnd();
    const content = box.current?.firstElementChild;
    if (content == null) return undefined;
    const sizes = new ResizeObserver(() => keepEnd());
    sizes.observe(content);
    return () => sizes.disconnect();
  });
}

function showLine(box: HTMLElement, line: number, lines: number, isWrapped: boolean): void {
  if (isWrapped && lines <= SHORT_LINES)
    box.querySelector(`[data-line="${Math.round(line) + 1}"]`)?.scrollIntoView({ block: "center" });
  else box.scrollTop = (isWrapped ? scrollTopOfAnchor : scrollTopOf)(line, box.clientHeight, lines);
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
    <Button
      look={following ? "plain" : "primary"}
      small
      className="absolute right-5 bottom-4"
      aria-pressed={live ? following : undefined}
      onClick={() => onFollow(!following)}
    >
      {live ? (following ? "Following" : "Follow") : "Jump to end"}
    </Button>
  );
}

/** Loads the visible blocks; returns undefined for a line that is still loading. */
function useTexts(
  reader: LogReader,
  { first, count }: Omit<LogWindow, "offsetPx">,
): (line: number) => string | undefined {
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

/** A single line may be too large to display. */
const LARGEST_READ = 1024 * 1024;

function cut({ from, to }: LogBlock) {
  return { from, to: Math.min(to, from + LARGEST_READ) };
}
