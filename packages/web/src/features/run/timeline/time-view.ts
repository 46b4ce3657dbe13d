/** The visible part of a timeline: a time span and a row span, both with fractions. */
export interface TimeView {
  readonly fromMs: number;
  readonly toMs: number;
  readonly top: number;
  readonly bottom: number;
}

/** Minimum time span. */
const MIN_SPAN_MS = 5;
const MIN_ROWS = 4;

/** The whole run; at least one second. */
export function wholeView({ fromMs, toMs, rows }: { fromMs: number; toMs: number; rows: number }): TimeView {
  return { fromMs, toMs: Math.max(toMs, fromMs + 1000), top: 0, bottom: Math.max(rows, MIN_ROWS) };
}

/** Zooms the time span around a fixed time; never beyond `whole`. */
export function zoomTime(view: TimeView, whole: TimeView, atMs: number, factor: number): TimeView {
  const span = Math.max(MIN_SPAN_MS, (view.toMs - view.fromMs) / factor);
  const share = (atMs - view.fromMs) / (view.toMs - view.fromMs);
  return within({ ...view, fromMs: atMs - span * share, toMs: atMs + span * (1 - share) }, whole);
}

/** Like zoomTime, for rows. */
export function zoomRows(view: TimeView, whole: TimeView, atRow: number, factor: number): TimeView {
  const span = Math.max(MIN_ROWS, (view.bottom - view.top) / factor);
  const share = (atRow - view.top) / (view.bottom - view.top);
  return within({ ...view, top: atRow - span * share, bottom: atRow + span * (1 - share) }, whole);
}

export function panView(view: TimeView, whole: TimeView, byMs: number, byRows: number): TimeView {
  return within(
    { fromMs: view.fromMs + byMs, toMs: view.toMs + byMs, top: view.top + byRows, bottom: view.bottom + byRows },
    whole,
  );
}

/** Moves, and if necessary shrinks, a view into the whole. */
export function within(view: TimeView, whole: TimeView): TimeView {
  const [fromMs, toMs] = fitSpan(view.fromMs, view.toMs, whole.fromMs, whole.toMs);
  const [top, bottom] = fitSpan(view.top, view.bottom, whole.top, whole.bottom);
  return { fromMs, toMs, top, bottom };
}

function fitSpan(from: number, to: number, least: number, most: number): readonly [number, number] {
  const span = Math.min(to - from, most - least);
  const start = Math.min(Math.max(from, least), most - span);
  return [start, start + span];
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 216e5, 432e5,
  864e5,
] as const;

/** Round time offsets from `startMs` for about `count` axis marks. */
export function timeTicks(view: TimeView, startMs: number, count: number): readonly number[] {
  const wanted = (view.toMs - view.fromMs) / count;
  const days = Math.ceil(wanted / 864e5) * 864e5;
  const step = STEPS_MS.find((candidate) => candidate >= wanted) ?? days;
  const first = Math.ceil((view.fromMs - startMs) / step);
  const last = Math.floor((view.toMs - startMs) / step);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}

/** A time span of a run, in milliseconds since its first job was queued. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Parses `?t=1200-5400`; undefined for any other text, and for an empty span. */
export function parseSpan(text: string): Span | undefined {
  const [, from, to] = /^(\d{1,12})-(\d{1,12})$/.exec(text) ?? [];
  const span = { fromMs: Number(from), toMs: Number(to) };
  return span.toMs > span.fromMs ? span : undefined;
}

/** The text in the URL; "" for the whole time. */
export function spanText(span: Span | undefined): string {
  return span === undefined ? "" : `${Math.max(0, Math.round(span.fromMs))}-${Math.round(span.toMs)}`;
}
