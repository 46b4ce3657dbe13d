/** Height of a line, in CSS pixels. */
export const LINE_PX = 20;
/** Browsers cannot scroll elements of any height; higher logs are scrolled faster than they move. */
const MAX_HEIGHT_PX = 8_000_000;

export interface LogWindow {
  readonly first: number;
  readonly count: number;
  /** How far above the upper edge the first line begins. */
  readonly offsetPx: number;
}

/** Height of what is scrolled. */
export function scrollHeight(lines: number): number {
  return Math.min(lines * LINE_PX, MAX_HEIGHT_PX);
}

/** The lines in sight when a box of `boxPx` is scrolled to `scrollTop`. */
export function windowAt(scrollTop: number, boxPx: number, lines: number): LogWindow {
  const shown = boxPx / LINE_PX;
  const way = Math.max(1, scrollHeight(lines) - boxPx);
  const exact = (Math.min(Math.max(0, scrollTop), way) / way) * Math.max(0, lines - shown);
  const first = Math.floor(exact);
  return { first, count: Math.min(lines - first, Math.ceil(shown) + 1), offsetPx: (exact - first) * LINE_PX };
}

/** Where to scroll to so that a line stands in the middle. */
export function scrollTopOf(line: number, boxPx: number, lines: number): number {
  const shown = boxPx / LINE_PX;
  const way = Math.max(0, scrollHeight(lines) - boxPx);
  return Math.min(way, Math.max(0, ((line - shown / 2) / Math.max(1, lines - shown)) * way));
}

/** A line at a place of the box, where lines are as high as their text needs. */
export interface LogAnchor {
  readonly line: number;
  /** How much of the line is above the place. */
  readonly share: number;
  readonly topPx: number;
}

/** At a share of the way down, that share of the lines is above that share of the box: both ends are reached exactly. */
export function anchorAt(scrollTop: number, boxPx: number, lines: number): LogAnchor {
  const way = Math.max(1, scrollHeight(lines) - boxPx);
  const done = Math.min(Math.max(0, scrollTop), way) / way;
  const line = Math.max(0, Math.min(lines - 1, Math.floor(done * lines)));
  return { line, share: Math.min(1, done * lines - line), topPx: done * boxPx };
}

/** Where to scroll to so that the middle of a line is at the place of its anchor. */
export function scrollTopOfAnchor(line: number, boxPx: number, lines: number): number {
  return Math.max(0, scrollHeight(lines) - boxPx) * Math.min(1, (line + 0.5) / Math.max(1, lines));
}

/** The lines around an anchor that can be in sight. */
export function windowAround({ line }: LogAnchor, boxPx: number, lines: number): Omit<LogWindow, "offsetPx"> {
  const most = Math.ceil(boxPx / LINE_PX) + 1;
  const first = Math.max(0, line - most);
  return { first, count: Math.min(lines, line + most + 1) - first };
}
