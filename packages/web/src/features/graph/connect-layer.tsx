import type { Drawing, NodeBox } from "@weft/shared/drawing/draw-network.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { useEffect, useEffectEvent, useState, type PointerEvent as ReactPointerEvent } from "react";
import type { ViewportControl } from "./use-viewport.ts";

/** Connecting nodes by dragging a line from one to another. */
export interface Connecting {
  /** Paths of the nodes that can receive something from a node. */
  readonly targetsOf: (path: string) => Promise<readonly string[]>;
  readonly onConnect: (from: string, to: string) => void;
}

export interface ConnectLayerProps {
  readonly drawing: Drawing;
  readonly control: ViewportControl;
  readonly connecting: Connecting;
}

interface Drag {
  readonly from: NodeBox;
  readonly point: Point;
  /** Undefined until they are known. */
  readonly targets: ReadonlySet<string> | undefined;
}

/**
 * A handle at the right edge of each node that gives something. Only nodes that can take it are marked while a line is
 * dragged. For mouse and touch; by keyboard, the panel of a node connects it.
 */
export function ConnectLayer({ drawing, control, connecting }: ConnectLayerProps) {
  const { drag, begin } = useDrag({ drawing, control, connecting });
  const own = drawing.boxes.filter(({ depth }) => depth === 0);
  const sources = own.filter(({ node }) => node.kind !== "output");
  return (
    <>
      {drag !== undefined && <DraggedLine drag={drag} />}
      {own
        .filter(({ path }) => drag?.targets?.has(path) === true)
        .map((box) => (
          <div
            key={box.path}
            aria-hidden="true"
            data-target={box.path}
            className="pointer-events-none! absolute rounded-xl ring-4 ring-success"
            style={{ left: box.x - 3, top: box.y - 3, width: box.width + 6, height: box.height + 6 }}
          />
        ))}
      {sources.map((box) => (
        <span
          key={box.path}
          aria-hidden="true"
          data-connect={box.path}
          title={`Drag to connect ${box.node.label}`}
          className="absolute flex size-7 cursor-crosshair items-center justify-center"
          style={{ left: box.x + box.width - 14, top: box.y + box.height / 2 - 14 }}
          onPointerDown={(event) => begin(box, event)}
        >
          <span className="size-3 rounded-full border-2 border-accent bg-surface" />
        </span>
      ))}
    </>
  );
}

function DraggedLine({ drag: { from, point } }: { readonly drag: Drag }) {
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const [left, top] = [Math.min(start.x, point.x), Math.min(start.y, point.y)];
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none! absolute overflow-visible text-accent"
      style={{ left, top, width: 1, height: 1 }}
    >
      <line
        x1={start.x - left}
        y1={start.y - top}
        x2={point.x - left}
        y2={point.y - top}
        stroke="currentColor"
        strokeWidth="2.5"
        strokeDasharray="6 4"
      />
    </svg>
  );
}

function useDrag({ drawing, control, connecting }: ConnectLayerProps) {
  const [drag, setDrag] = useState<Drag | undefined>(undefined);
  const isDragging = drag !== undefined;
  const mark = async (path: string): Promise<void> => {
    const targets = new Set(await connecting.targetsOf(path));
    setDrag((old) => (old?.from.path === path ? { ...old, targets } : old));
  };
  const begin = (from: NodeBox, event: ReactPointerEvent): void => {
    if (event.button !== 0) return;
    setDrag({ from, point: pointOf(event.nativeEvent, control), targets: undefined });
    void mark(from.path);
  };
  const move = useEffectEvent((event: PointerEvent) => {
    const point = pointOf(event, control);
    setDrag((old) => old && { ...old, point });
  });
  const end = useEffectEvent((event: PointerEvent) => {
    const point = pointOf(event, control);
    const box = drawing.boxes.find((candidate) => candidate.depth === 0 && isIn(candidate, point));
    const from = drag?.from.path;
    setDrag(undefined);
    if (from !== undefined && box !== undefined && drag?.targets?.has(box.path) === true)
      connecting.onConnect(from, box.path);
  });
  useEffect(() => {
    if (!isDragging) return;
    const stop = new AbortController();
    const { signal } = stop;
    globalThis.addEventListener("pointermove", (event) => move(event), { signal });
    globalThis.addEventListener("pointerup", (event) => end(event), { signal });
    globalThis.addEventListener("pointercancel", () => setDrag(undefined), { signal });
    return () => stop.abort();
  }, [isDragging]);
  return { drag, begin };
}

function isIn({ x, y, width, height }: NodeBox, point: Point): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

/** The place of a pointer in the drawing. */
function pointOf(event: PointerEvent, { frame, view }: ViewportControl): Point {
  const { left = 0, top = 0 } = frame.current?.getBoundingClientRect() ?? {};
  return { x: (event.clientX - left - view.x) / view.scale, y: (event.clientY - top - view.y) / view.scale };
}
