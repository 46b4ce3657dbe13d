import type { NodeBox } from "@weft/shared/drawing/draw-network.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { type PointerEvent as ReactPointerEvent, memo, useCallback, useLayoutEffect, useRef, useState } from "react";
import { type Outlet, type PortPlace, outletsOf, portAt, portPlaces } from "./port-places.ts";
import type { ViewportControl } from "../viewport/use-viewport.ts";
import { useWindowPointer } from "../viewport/use-window-pointer.ts";

/** Connecting ports by dragging a line from one to another. */
export interface Connecting {
  /** Finds the ports that accept the values of a source (`reads`, `align/bam`). */
  readonly compatiblePorts: (source: string) => Promise<readonly PortPlace[]>;
  /** Connects a source to a port, or to the node if the line did not end at a port. */
  readonly onConnect: (source: string, to: { readonly path: string; readonly port?: string }) => void;
}

interface ConnectLayerProps {
  /** The nodes in or near the visible area. */
  readonly boxes: readonly NodeBox[];
  readonly control: ViewportControl;
  readonly connecting: Connecting;
}

/**
 * Draws a dot at every port. A line starts at an output; while the user drags it, only compatible ports are marked. For
 * mouse and touch; keyboard users connect ports in the panel of a node.
 */
export function ConnectLayer({ boxes, control, connecting }: ConnectLayerProps) {
  const own = boxes.filter(({ depth }) => depth === 0);
  const { drag, begin } = useConnectDrag({ boxes: own, control, connecting });
  const compatiblePorts = drag?.compatiblePorts ?? [];
  const at = drag === undefined ? undefined : portAt(own, drag.point, compatiblePorts);
  return (
    <>
      {drag !== undefined && <DraggedLine drag={drag} />}
      {own
        .filter(({ path }) => compatiblePorts.some((port) => port.path === path))
        .map((box) => (
          <Targets key={box.path} box={box} compatiblePorts={compatiblePorts} at={at} />
        ))}
      {own.map((box) => (
        <Dots key={box.path} box={box} begin={begin} />
      ))}
    </>
  );
}

interface TargetsProps {
  readonly box: NodeBox;
  readonly compatiblePorts: readonly PortPlace[];
  /** The node or port at which the line would end. */
  readonly at: { readonly path: string; readonly port?: string } | undefined;
}

/** The frame of a node that the line can connect to, and its compatible ports. */
function Targets({ box, compatiblePorts, at }: TargetsProps) {
  const ports = new Set(compatiblePorts.filter(({ path }) => path === box.path).map(({ port }) => port));
  const isOver = at?.path === box.path;
  return (
    <>
      <div
        aria-hidden="true"
        data-target={box.path}
        className={`pointer-events-none! absolute rounded-xl ring-success ${isOver ? "ring-4" : "ring-2"}`}
        style={{ left: box.x - 3, top: box.y - 3, width: box.width + 6, height: box.height + 6 }}
      />
      {portPlaces(box)
        .filter(({ name }) => ports.has(name))
        .map(({ name, x, y }) => (
          <span
            key={name}
            aria-hidden="true"
            data-port-target={`${box.path} ${name}`}
            className={`pointer-events-none! absolute z-1 rounded-full border-2 border-success ${isOver && at.port === name ? "size-6 bg-success" : "size-4 bg-surface"}`}
            style={{ left: x, top: y, transform: "translate(-50%, -50%)" }}
          />
        ))}
    </>
  );
}

interface DotsProps {
  readonly box: NodeBox;
  readonly begin: (outlet: Outlet, event: ReactPointerEvent) => void;
}

const Dots = memo(function Dots({ box, begin }: DotsProps) {
  return (
    <>
      {portPlaces(box).map(({ name, x, y, isConnected, isMissing }) => (
        <span
          key={name}
          aria-hidden="true"
          className={`pointer-events-none! absolute size-2.5 rounded-full border-2 ${isMissing ? "border-failed bg-surface" : isConnected ? "border-accent bg-accent" : "border-edge bg-surface"}`}
          style={{ left: x - 5, top: y - 5 }}
        />
      ))}
      {outletsOf(box).map((outlet) => (
        <span
          key={outlet.source}
          aria-hidden="true"
          data-connect={outlet.source}
          title={`Drag to connect ${outlet.source}`}
          className="absolute flex size-7 cursor-crosshair items-center justify-center rounded-full hover:bg-accent-soft"
          style={{ left: outlet.x - 14, top: outlet.y - 14 }}
          onPointerDown={(event) => begin(outlet, event)}
        >
          <span
            className={`size-3 rounded-full border-2 border-accent ${outlet.isConnected ? "bg-accent" : "bg-surface"}`}
          />
        </span>
      ))}
    </>
  );
});

function DraggedLine({ drag: { from, point } }: { readonly drag: ConnectDrag }) {
  const [left, top] = [Math.min(from.x, point.x), Math.min(from.y, point.y)];
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none! absolute overflow-visible text-accent"
      style={{ left, top, width: 1, height: 1 }}
    >
      <line
        x1={from.x - left}
        y1={from.y - top}
        x2={point.x - left}
        y2={point.y - top}
        stroke="currentColor"
        strokeWidth="2.5"
        strokeDasharray="6 4"
      />
    </svg>
  );
}

/** A line that is dragged from a port. */
interface ConnectDrag {
  readonly from: Outlet;
  readonly point: Point;
  /** The compatible ports; undefined until they are known. */
  readonly compatiblePorts: readonly PortPlace[] | undefined;
}

/** Follows the pointer from a port to the place where it is released. Escape cancels. */
function useConnectDrag({ boxes, control, connecting }: ConnectLayerProps) {
  const [drag, setDrag] = useState<ConnectDrag | undefined>(undefined);
  const mark = async ({ source }: Outlet): Promise<void> => {
    // Without the documents of the steps, no port is compatible.
    const compatiblePorts = await connecting.compatiblePorts(source).catch(() => []);
    setDrag((old) => (old?.from.source === source ? { ...old, compatiblePorts } : old));
  };
  const latest = useRef(mark);
  useLayoutEffect(() => {
    latest.current = mark;
  });
  // Always one function, so that a dot renders again only when its node changes.
  const begin = useCallback((from: Outlet, event: ReactPointerEvent): void => {
    if (event.button !== 0) return;
    // Otherwise the mouse would select text that the line crosses.
    event.preventDefault();
    setDrag({ from, point: from, compatiblePorts: undefined });
    void latest.current(from);
  }, []);
  useWindowPointer(drag !== undefined, {
    move: (event) => {
      const point = control.pointAt(event);
      setDrag((old) => old && { ...old, point });
    },
    up: (event) => {
      const to = drag?.compatiblePorts && portAt(boxes, control.pointAt(event), drag.compatiblePorts);
      setDrag(undefined);
      if (drag !== undefined && to !== undefined) connecting.onConnect(drag.from.source, to);
    },
    giveUp: () => setDrag(undefined),
  });
  return { drag, begin };
}
