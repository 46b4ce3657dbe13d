import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { Point } from "./layout/layout-layers.ts";
import { firstView, fitTo, panBy, reveal, zoomAt, type Size, type Viewport } from "./viewport.ts";

const ZOOM_STEP = 1.25;
const PAN_STEP = 60;

export interface ViewportControl {
  readonly view: Viewport;
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly fit: () => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly revealBox: (box: Point & Size) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Pan and zoom of a drawing by mouse, wheel, touch and keyboard. It is fitted at first, and again when its own size changes. */
export function useViewport(drawing: Size): ViewportControl {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const { width, height } = drawing;
  const fit = useCallback(() => setView(fitTo({ width, height }, sizeOf(frame.current))), [width, height]);
  useLayoutEffect(() => setView(firstView({ width, height }, sizeOf(frame.current))), [width, height]);
  usePointerPan(frame, setView);
  useWheelZoom(frame, setView);
  const zoom = (factor: number): void => setView((old) => zoomAt(old, centreOf(frame.current), factor));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => setView((old) => panBy(old, PAN_STEP, 0)),
    ArrowRight: () => setView((old) => panBy(old, -PAN_STEP, 0)),
    ArrowUp: () => setView((old) => panBy(old, 0, PAN_STEP)),
    ArrowDown: () => setView((old) => panBy(old, 0, -PAN_STEP)),
    "+": () => zoom(ZOOM_STEP),
    "=": () => zoom(ZOOM_STEP),
    "-": () => zoom(1 / ZOOM_STEP),
    f: fit,
    "0": fit,
  };
  return {
    view,
    frame,
    fit,
    zoomIn: () => zoom(ZOOM_STEP),
    zoomOut: () => zoom(1 / ZOOM_STEP),
    revealBox: (box) => setView((old) => reveal(old, box, sizeOf(frame.current))),
    onKeyDown: (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    },
  };
}

type SetView = (change: (old: Viewport) => Viewport) => void;

/** React listens to wheel events passively, and a passive listener cannot keep the page from scrolling. */
function useWheelZoom(frame: RefObject<HTMLDivElement | null>, setView: SetView): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const zoom = (event: WheelEvent): void => {
      event.preventDefault();
      const at = localPoint(element, event);
      setView((old) => zoomAt(old, at, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015))));
    };
    element.addEventListener("wheel", zoom, { passive: false });
    return () => element.removeEventListener("wheel", zoom);
  }, [frame, setView]);
}

/** A press that moves further than this drags and is no click. */
const DRAG_PX = 4;

/** One pointer drags, two pinch. A press on a button stays a press unless the pointer moves away. */
function usePointerPan(frame: RefObject<HTMLDivElement | null>, setView: SetView): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const pointers = new Map<number, Point>();
    let travelled = 0;
    const down = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      if (pointers.size === 0) travelled = 0;
      pointers.set(event.pointerId, localPoint(element, event));
    };
    const move = (event: PointerEvent): void => {
      const from = pointers.get(event.pointerId);
      if (from === undefined) return;
      const to = localPoint(element, event);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, to);
      travelled += distance(from, to);
      setView((old) => dragged(old, { from, to, other }));
    };
    const up = (event: PointerEvent): void => void pointers.delete(event.pointerId);
    const click = (event: MouseEvent): void => {
      if (travelled > DRAG_PX && event.detail > 0) event.stopPropagation();
    };
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener("pointerdown", down, { signal });
    element.addEventListener("click", click, { signal, capture: true });
    globalThis.addEventListener("pointermove", move, { signal });
    globalThis.addEventListener("pointerup", up, { signal });
    globalThis.addEventListener("pointercancel", up, { signal });
    return () => stop.abort();
  }, [frame, setView]);
}

function dragged(
  view: Viewport,
  drag: { readonly from: Point; readonly to: Point; readonly other: Point | undefined },
): Viewport {
  const { from, to, other } = drag;
  if (other === undefined) return panBy(view, to.x - from.x, to.y - from.y);
  return zoomAt(view, other, distance(to, other) / Math.max(1, distance(from, other)));
}

function localPoint(element: HTMLElement, event: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function sizeOf(element: HTMLElement | null): Size {
  return { width: element?.clientWidth ?? 800, height: element?.clientHeight ?? 480 };
}

function centreOf(element: HTMLElement | null): Point {
  const { width, height } = sizeOf(element);
  return { x: width / 2, y: height / 2 };
}
