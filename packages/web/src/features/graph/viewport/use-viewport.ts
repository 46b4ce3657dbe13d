import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { centerOn, firstView, fitTo, panBy, reveal, zoomAt, type Size, type Viewport } from "./viewport.ts";

const ZOOM_STEP = 1.25;
const PAN_STEP = 60;

/** The initial view of a drawing. */
interface FirstPlace {
  /** The part to show first if the whole drawing is too large to read. */
  readonly start: Point & Size;
  /** Must stay visible: the selected node. */
  readonly wanted: (Point & Size) | undefined;
}

export type ViewportControl = ReturnType<typeof useViewport>;

const PAN = { left: [1, 0], right: [-1, 0], up: [0, 1], down: [0, -1] } as const;

/**
 * Pan and zoom of a drawing by mouse, wheel, touch and keyboard. Starts at `first`, and again whenever the drawing
 * changes its size, or the frame does before the user has moved the view. Afterwards the wanted box stays visible.
 */
export function useViewport(drawing: Size, first: FirstPlace) {
  const { frame, view, setView, size } = useView(drawing, first);
  usePointerPan(frame, setView);
  useWheelZoom(frame, setView);
  const zoom = (factor: number): void => setView((old) => zoomAt(old, centerOf(frame.current), factor));
  return {
    view,
    /** Size of the frame on the screen. */
    size,
    frame,
    /** The place of a pointer in the drawing. */
    pointAt: (event: Pointed): Point => {
      const { x, y } = frame.current === null ? { x: 0, y: 0 } : localPoint(frame.current, event);
      return { x: (x - view.x) / view.scale, y: (y - view.y) / view.scale };
    },
    fit: () => setView(() => fitTo(drawing, sizeOf(frame.current))),
    zoomIn: () => zoom(ZOOM_STEP),
    zoomOut: () => zoom(1 / ZOOM_STEP),
    pan: (direction: keyof typeof PAN) =>
      setView((old) => panBy(old, PAN[direction][0] * PAN_STEP, PAN[direction][1] * PAN_STEP)),
    revealBox: (box: Point & Size) => setView((old) => reveal(old, box, sizeOf(frame.current))),
    centerOnBox: (box: Point & Size) => setView((old) => centerOn(old, box, sizeOf(frame.current))),
    centerAt: (point: Point) => setView((old) => moveTo(old, point, sizeOf(frame.current))),
  };
}

/** The view and the size of the frame. */
function useView(drawing: Size, first: FirstPlace) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setViewNow] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const isMoved = useRef(false);
  const setView: SetView = useCallback((change) => {
    isMoved.current = true;
    setViewNow(change);
  }, []);
  const [size, setSize] = useState<Size>({ width: 800, height: 480 });
  const { width, height } = drawing;
  const start = useEffectEvent((whole: Size) => {
    const screen = sizeOf(frame.current);
    const begin = firstView(whole, screen, first.start);
    setSize(screen);
    isMoved.current = false;
    setViewNow(first.wanted === undefined ? begin : reveal(begin, first.wanted, screen));
  });
  const resize = useEffectEvent((screen: Size) => {
    const wanted = first.wanted;
    setSize(screen);
    if (!isMoved.current) start({ width, height });
    else if (wanted !== undefined) setViewNow((old) => reveal(old, wanted, screen));
  });
  useLayoutEffect(() => start({ width, height }), [width, height]);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => resize(sizeOf(element)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, view, setView, size };
}

function moveTo({ scale }: Viewport, { x, y }: Point, screen: Size): Viewport {
  return { x: screen.width / 2 - x * scale, y: screen.height / 2 - y * scale, scale };
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

/** A pointer that moves further than this is dragging, not clicking. */
const DRAG_PX = 4;

/** One pointer drags, two pinch. Pressing a button clicks it unless the pointer moves. */
function usePointerPan(frame: RefObject<HTMLDivElement | null>, setView: SetView): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const pointers = new Map<number, Point>();
    let traveled = 0;
    const down = (event: PointerEvent): void => {
      if (pointers.size === 0) traveled = 0;
      // Dragging a line from a port, or a box around steps, must not move the drawing.
      const isLine = event.target instanceof Element && event.target.closest("[data-connect]") !== null;
      const { boxes } = element.dataset;
      const isBox = boxes === "always" || (boxes === "shift" && event.shiftKey);
      if (event.button !== 0 || isLine || isBox) return;
      pointers.set(event.pointerId, localPoint(element, event));
    };
    const move = (event: PointerEvent): void => {
      const from = pointers.get(event.pointerId);
      if (from === undefined) return;
      const to = localPoint(element, event);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, to);
      traveled += distance(from, to);
      setView((old) => dragged(old, { from, to, other }));
    };
    const up = (event: PointerEvent): void => void pointers.delete(event.pointerId);
    const click = (event: MouseEvent): void => {
      if (traveled > DRAG_PX && event.detail > 0) event.stopPropagation();
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

type Pointed = Pick<MouseEvent, "clientX" | "clientY">;

function localPoint(element: HTMLElement, event: Pointed): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function sizeOf(element: HTMLElement | null): Size {
  return { width: element?.clientWidth ?? 800, height: element?.clientHeight ?? 480 };
}

function centerOf(element: HTMLElement | null): Point {
  const { width, height } = sizeOf(element);
  return { x: width / 2, y: height / 2 };
}
