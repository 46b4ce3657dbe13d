import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { useCallback, useLayoutEffect, useRef, useState, type PointerEvent as ReactPointerEvent } from "react";
import type { ConnectLayerProps } from "./connect-layer.tsx";
import { portAt, type Outlet, type PortPlace } from "./port-places.ts";
import type { ViewportControl } from "./use-viewport.ts";
import { useWindowPointer } from "./use-window-pointer.ts";

/** A line that is dragged from a port. */
export interface ConnectDrag {
  readonly from: Outlet;
  readonly point: Point;
  /** Undefined until they are known. */
  readonly takers: readonly PortPlace[] | undefined;
}

/** Follows the pointer from a port to the place where it is released. Escape gives up. */
export function useConnectDrag({ boxes, control, connecting }: ConnectLayerProps) {
  const [drag, setDrag] = useState<ConnectDrag | undefined>(undefined);
  const mark = async ({ source }: Outlet): Promise<void> => {
    // Without the documents of the steps, nothing can take the line.
    const takers = await connecting.takersOf(source).catch(() => []);
    setDrag((old) => (old?.from.source === source ? { ...old, takers } : old));
  };
  const latest = useRef(mark);
  useLayoutEffect(() => {
    latest.current = mark;
  });
  // Always one function, so that a dot renders again only when its node changes.
  const begin = useCallback((from: Outlet, event: ReactPointerEvent): void => {
    if (event.button !== 0) return;
    // Otherwise the mouse would select the texts that the line crosses.
    event.preventDefault();
    setDrag({ from, point: from, takers: undefined });
    void latest.current(from);
  }, []);
  useWindowPointer(drag !== undefined, {
    move: (event) => {
      const point = pointOf(event, control);
      setDrag((old) => old && { ...old, point });
    },
    up: (event) => {
      const to = drag?.takers && portAt(boxes, pointOf(event, control), drag.takers);
      setDrag(undefined);
      if (drag !== undefined && to !== undefined) connecting.onConnect(drag.from.source, to);
    },
    giveUp: () => setDrag(undefined),
  });
  return { drag, begin };
}

/** The place of a pointer in the drawing. */
function pointOf(event: PointerEvent, { frame, view }: ViewportControl): Point {
  const { left = 0, top = 0 } = frame.current?.getBoundingClientRect() ?? {};
  return { x: (event.clientX - left - view.x) / view.scale, y: (event.clientY - top - view.y) / view.scale };
}
