/** Height of a line, in CSS pixels. */
export const LINE_PX = 20;

/** Browsers limit the height of scrolled elements; higher logs scroll at a scale. */
const MAX_HEIGHT_PX = 8_000_000;

export interface LogWindow {
  readonly first: number;
  readonly count: number;
  /** Offset of the first line above the upper edge. */
  readonly offsetPx: number;
}

/** Height of the scrolled content. */
export function scrollHeight(lines: number): number {
  return Math.min(lines * LINE_PX, MAX_HEIGHT_PX);
}

/** The visible lines when a box of height `boxPx` is scrolled to `scrollTop`. */
export function windowAt(scrollTop: number, boxPx: number, lines: number): LogWindow {
  const shown = boxPx / LINE_PX;
  const way = Math.max(1, scrollHeight(lines) - boxPx);
  const exact = (Math.min(Math.max(0, scrollTop), way) / way) * Math.max(0, lines - shown);
  const first = Math.floor(exact);
  return { first, count: Math.min(lines - first, Math.ceil(shown) + 1), offsetPx: (exact - first) * LINE_PX };
}

/** Scroll position that centers a line. */
export function scrollTopOf(line: number, boxPx: number, lines: number): number {
  const shown = boxPx / LINE_PX;
  const way = Math.max(0, scrollHeight(lines) - boxPx);
  return Math.min(way, Math.max(0, ((line - shown / 2) / Math.max(1, lines - shown)) * way));
}

/** A line at a position in the box, if lines have different heights. */
interface LogAnchor {
  readonly line: number;
  /** The share of the line that is above the position. */
  readonly share: number;
  readonly topPx: number;
}

/**
 * The anchor for a scroll position: a share of the scrolled way corresponds to the same share of lines, so that both
 * ends are reached exactly.
 */
export function anchorAt(scrollTop: number, boxPx: number, lines: number): LogAnchor {
  const way = Math.max(1, scrollHeight(lines) - boxPx);
  const done = Math.min(Math.max(0, scrollTop), way) / way;
  const line = Math.max(0, Math.min(lines - 1, Math.floor(done * lines)));
  return { line, share: Math.min(1, done * lines - line), topPx: done * boxPx };
}

/** The scroll position at which the middle of a line is at its anchor. */
export function scrollTopOfAnchor(line: number, boxPx: number, lines: number): number {
  return Math.max(0, scrollHeight(lines) - boxPx) * Math.min(1, (line + 0.5) / Math.max(1, lines));
}

/** The lines around an anchor that can be visible. */
export function windowAround({ line }: LogAnchor, boxPx: number, lines: number): Omit<LogWindow, "offsetPx"> {
  const most = Math.ceil(boxPx / LINE_PX) + 1;
  const first = Math.max(0, line - most);
  return { first, count: Math.min(lines, line + most + 1) - first };
}

/** Line range in a link, counted from 1, inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Parses `#L10` and `#L10-L20`; undefined for any other hash. */
export function parseLineHash(hash: string): LineRange | undefined {
  const match = /^#L(\d{1,12})(?:-L?(\d{1,12}))?$/.exec(hash);
  const first = Number(match?.[1] ?? 0);
  if (first === 0) return undefined;
  const last = Number(match?.[2] ?? first);
  return { first: Math.min(first, Math.max(1, last)), last: Math.max(first, last) };
}

export function lineHash({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`;
}
