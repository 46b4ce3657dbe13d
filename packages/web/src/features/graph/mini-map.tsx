import { useRef, type PointerEvent } from "react";
import { usePainting } from "../../ui/use-painting.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { miniView, paintMiniMap, type GraphPicture } from "./paint-graph.ts";
import type { Size } from "./viewport.ts";

export interface MiniMapProps {
  readonly picture: GraphPicture;
  readonly screen: Size;
  /** Called with the point of the drawing to center on. */
  readonly onMove: (to: Point) => void;
}

/** The whole graph in a corner: click or drag to navigate. Keyboard and screen reader users have the tree instead. */
export function MiniMap({ picture, screen, onMove }: MiniMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  usePainting(canvas, (element) => paintMiniMap(element, picture, screen));
  const go = (event: PointerEvent<HTMLCanvasElement>): void => {
    const { scale, x, y } = miniView(event.currentTarget, picture.drawing);
    onMove({ x: (event.nativeEvent.offsetX - x) / scale, y: (event.nativeEvent.offsetY - y) / scale });
  };
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      data-testid="minimap"
      className="absolute bottom-2.5 left-2.5 h-28 w-44 cursor-pointer touch-none rounded-lg border border-line bg-surface shadow-sm"
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    />
  );
}
