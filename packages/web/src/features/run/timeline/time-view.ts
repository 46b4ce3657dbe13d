import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

/** Height in CSS pixels of the time axis, and below it of the curves of concurrent jobs and memory. */
export const AXIS_PX = 24;
export const CURVE_PX = 44;
export const CURVE_GAP_PX = 6;
/** Top of the bars. */
export const TOP_PX = AXIS_PX + 2 * (CURVE_PX + CURVE_GAP_PX);

/** Width of the step names on the left, for a canvas of this width. */
export function gutterOf(widthPx: number): number {
  return widthPx < 600 ? 92 : 150;
}

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

const ZOOM_STEP = 1.4;
const PAN_SHARE = 0.15;

/** Rows thinner than this zoom together with the time. */
const THIN_ROW_PX = 4;

/** A pointer that moves further than this is dragging, not clicking. */
const DRAG_PX = 4;

export type TimeViewControl = ReturnType<typeof useTimeView>;

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Delay after the last movement before the URL updates. */
const REST_MS = 300;

/** Wheel, drag, brush and keys over a canvas. Shows the whole run, which grows while running, until the user zooms. */
export function useTimeView(canvas: RefObject<HTMLCanvasElement | null>, options: ChosenViewOptions) {
  const [chosen, setChosen] = useChosenView(options);
  const { whole } = options;
  const [brush, setBrush] = useState<Box | undefined>(undefined);
  const view = chosen === undefined ? whole : within(chosen, whole);
  // Several movements may precede the next render: each starts from the previous one.
  const now = useRef({ view, whole });
  useLayoutEffect(() => {
    now.current = { view, whole };
  });
  const change = useCallback(
    (next: TimeView): void => {
      now.current = { ...now.current, view: next };
      setChosen(isSame(next, now.current.whole) ? undefined : next);
    },
    [setChosen],
  );
  usePointers(canvas, now, { change, setBrush });
  const middleMs = (view.fromMs + view.toMs) / 2;
  return {
    view,
    /** The zoom rectangle that the user is drawing, in canvas pixels. */
    brush,
    reset: () => setChosen(undefined),
    zoomBy: (step: 1 | -1) => change(zoomTime(view, whole, middleMs, ZOOM_STEP ** step)),
    panBy: (x: -1 | 0 | 1, y: -1 | 0 | 1) =>
      change(panView(view, whole, x * (view.toMs - view.fromMs) * PAN_SHARE, y * (view.bottom - view.top) * PAN_SHARE)),
  };
}

function isSame(a: TimeView, b: TimeView): boolean {
  return a.fromMs === b.fromMs && a.toMs === b.toMs && a.top === b.top && a.bottom === b.bottom;
}

interface Shown {
  readonly view: TimeView;
  readonly whole: TimeView;
}

interface PointerTarget {
  readonly change: (view: TimeView) => void;
  readonly setBrush: (brush: Box | undefined) => void;
}

/** The time and the row at a point of the canvas. */
export function placeOf(canvas: HTMLCanvasElement, view: TimeView, x: number, y: number): { ms: number; row: number } {
  const gutter = gutterOf(canvas.clientWidth);
  const across = (x - gutter) / (canvas.clientWidth - gutter);
  const down = (y - TOP_PX) / (canvas.clientHeight - TOP_PX);
  return {
    ms: view.fromMs + across * (view.toMs - view.fromMs),
    row: view.top + down * (view.bottom - view.top),
  };
}

/** React listens to wheel events passively, and a passive listener cannot keep the page from scrolling. */
function usePointers(
  canvas: RefObject<HTMLCanvasElement | null>,
  now: RefObject<Shown>,
  { change, setBrush }: PointerTarget,
): void {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const target = { change, setBrush };
    element.addEventListener("wheel", (event) => change(wheeled(element, event, now.current)), {
      passive: false,
      signal,
    });
    element.addEventListener(
      "pointerdown",
      (event) => event.button === 0 && drag(element, event, { ...now.current, ...target }),
      { signal },
    );
    return () => stop.abort();
  }, [canvas, now, change, setBrush]);
}

function wheeled(element: HTMLCanvasElement, event: WheelEvent, { view, whole }: Shown): TimeView {
  event.preventDefault();
  const { ms, row } = placeOf(element, view, event.offsetX, event.offsetY);
  const factor = Math.exp(-(event.deltaY || event.deltaX) * 0.0015);
  if (event.shiftKey) return zoomRows(view, whole, row, factor);
  const inTime = zoomTime(view, whole, ms, factor);
  // Most jobs of thin rows would be outside the selected time, so zoom the rows too.
  const rowPx = (element.clientHeight - TOP_PX) / (view.bottom - view.top);
  const isThin = factor > 1 ? rowPx < THIN_ROW_PX : rowPx * factor < THIN_ROW_PX;
  return isThin ? zoomRows(inTime, whole, row, factor) : inTime;
}

/** Pans the view from where it was when the drag began; with Shift draws a rectangle and zooms into it. */
function drag(element: HTMLCanvasElement, press: PointerEvent, target: PointerTarget & Shown): void {
  const { view, whole, change, setBrush } = target;
  const isBrush = press.shiftKey;
  const { left, top } = element.getBoundingClientRect();
  const start = { x: press.clientX - left, y: press.clientY - top };
  const from = placeOf(element, view, start.x, start.y);
  let box: Box | undefined;
  const stop = new AbortController();
  const move = (event: PointerEvent): void => {
    const [x, y] = [event.clientX - left, event.clientY - top];
    if (box === undefined && Math.hypot(x - start.x, y - start.y) < DRAG_PX) return;
    box = boxOf(start, { x, y });
    const to = placeOf(element, view, x, y);
    if (isBrush) setBrush(box);
    else change(panView(view, whole, from.ms - to.ms, from.row - to.row));
  };
  const end = (): void => {
    stop.abort();
    setBrush(undefined);
    if (box === undefined) return;
    // Suppresses the click after a drag.
    element.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
    if (isBrush) change(viewOfBox(element, view, whole, box));
  };
  const { signal } = stop;
  globalThis.addEventListener("pointermove", move, { signal });
  globalThis.addEventListener("pointerup", end, { signal });
  globalThis.addEventListener("pointercancel", end, { signal });
}

function boxOf(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  return {
    left: Math.min(a.x, b.x),
    right: Math.max(a.x, b.x),
    top: Math.min(a.y, b.y),
    bottom: Math.max(a.y, b.y),
  };
}

/** A flat rectangle selects only a time span. */
function viewOfBox(element: HTMLCanvasElement, view: TimeView, whole: TimeView, box: Box): TimeView {
  const from = placeOf(element, view, box.left, box.top);
  const to = placeOf(element, view, box.right, box.bottom);
  const isFlat = box.bottom - box.top < 24;
  const [top, bottom] = isFlat ? [view.top, view.bottom] : [from.row, to.row];
  return within({ fromMs: from.ms, toMs: Math.max(to.ms, from.ms + 5), top, bottom }, whole);
}

interface ChosenViewOptions {
  readonly whole: TimeView;
  /** The time span in the URL; a new one replaces the user's view. */
  readonly span: Span | undefined;
  /** Called when the view has settled; the span is relative to the beginning of the whole. */
  readonly onSpan: (span: Span | undefined) => void;
}

/** The view set by the user or the URL; undefined for the whole. */
function useChosenView({ whole, span, onSpan }: ChosenViewOptions) {
  const [chosen, setChosen] = useState(() => viewOfSpan(whole, span));
  const named = spanText(span);
  const [seen, setSeen] = useState(named);
  if (named !== seen) {
    setSeen(named);
    if (named !== spanText(spanOfView(whole, chosen))) setChosen(viewOfSpan(whole, span));
  }
  const tell = useEffectEvent((view: TimeView | undefined) => {
    const next = spanOfView(whole, view);
    if (spanText(next) !== named) onSpan(next);
  });
  useEffect(() => {
    const timer = setTimeout(() => tell(chosen), REST_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return [chosen, setChosen] as const;
}

function viewOfSpan(whole: TimeView, span: Span | undefined): TimeView | undefined {
  return span && { ...whole, fromMs: whole.fromMs + span.fromMs, toMs: whole.fromMs + span.toMs };
}

/** Undefined also if only the rows are zoomed. */
function spanOfView(whole: TimeView, view: TimeView | undefined): Span | undefined {
  if (view === undefined || (view.fromMs === whole.fromMs && view.toMs === whole.toMs)) return undefined;
  return { fromMs: view.fromMs - whole.fromMs, toMs: view.toMs - whole.fromMs };
}
