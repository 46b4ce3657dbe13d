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
