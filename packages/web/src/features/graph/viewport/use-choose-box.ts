import type { NodeBox } from "@weft/shared/drawing/draw-network.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { useEffect, useEffectEvent, useState } from "react";
import type { ViewportControl } from "./use-viewport.ts";
import { useWindowPointer } from "./use-window-pointer.ts";
import { type Size, overlaps } from "./viewport.ts";

/** The state of choosing several steps for one action. */
export interface Choosing {
  readonly chosen: ReadonlySet<string>;
  /** True if every click chooses a node and every drag draws a box; otherwise both require Shift. */
  readonly isOn: boolean;
  readonly onToggle: (path: string) => void;
  readonly onAdd: (paths: readonly string[]) => void;
}

/** A pointer that moves further than this draws a box. */
const DRAG_PX = 4;

/** The box that is drawn to choose the steps within it, in the coordinates of the drawing. */
export function useChooseBox(
  choosing: Choosing | undefined,
  boxes: readonly NodeBox[],
  { frame, view, pointAt: at }: ViewportControl,
): (Point & Size) | undefined {
  const [corners, setCorners] = useState<readonly [Point, Point] | undefined>(undefined);
  const down = useEffectEvent((event: PointerEvent) => {
    const isLine = event.target instanceof Element && event.target.closest("[data-connect]") !== null;
    if (choosing === undefined || event.button !== 0 || isLine || !(choosing.isOn || event.shiftKey)) return;
    setCorners([at(event), at(event)]);
  });
  const choose = (area: Point & Size): void => {
    if (Math.max(area.width, area.height) * view.scale <= DRAG_PX) return;
    choosing?.onAdd(boxes.filter((box) => isChoosable(box) && overlaps(box, area)).map(({ path }) => path));
  };
  useEffect(() => {
    const stop = new AbortController();
    frame.current?.addEventListener("pointerdown", (event) => down(event), { signal: stop.signal });
    return () => stop.abort();
  }, [frame]);
  useWindowPointer(corners !== undefined, {
    move: (event) => {
      const to = at(event);
      setCorners((old) => old && [old[0], to]);
    },
    up: (event) => {
      setCorners(undefined);
      // The last movements may not be on the screen yet.
      if (corners !== undefined) choose(areaOf([corners[0], at(event)]));
    },
    giveUp: () => setCorners(undefined),
  });
  return corners && areaOf(corners);
}

/** True for the network's own steps; steps of nested networks belong to other documents. */
export function isChoosable({ node, depth }: NodeBox): boolean {
  return node.kind === "step" && depth === 0;
}

function areaOf([a, b]: readonly [Point, Point]): Point & Size {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}
