import { useEffect, useState, type RefObject } from "react";
import type { PlacedBox } from "../../components/neighbour-of.ts";

/** The visible part of a drawing, in steps of CELL, so that small movements do not rerender it. */
interface VisibleArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const CELL = 320;
/** The visible area before the frame has been measured. */
const FIRST: VisibleArea = { left: 0, top: 0, right: 4 * CELL, bottom: 2 * CELL };

/** The visible part of a scrolling frame's content. */
export function useVisibleArea(frame: RefObject<HTMLElement | null>): VisibleArea {
  const [area, setArea] = useState(FIRST);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const next = visibleAreaOf(element);
      setArea((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [frame]);
  return area;
}

function visibleAreaOf({ scrollLeft, scrollTop, clientWidth, clientHeight }: HTMLElement): VisibleArea {
  const down = (px: number) => (Math.floor(px / CELL) - 1) * CELL;
  const up = (px: number) => (Math.ceil(px / CELL) + 1) * CELL;
  return {
    left: down(scrollLeft),
    top: down(scrollTop),
    right: up(scrollLeft + clientWidth),
    bottom: up(scrollTop + clientHeight),
  };
}

export function isVisible({ x, y, width, height }: PlacedBox, { left, top, right, bottom }: VisibleArea): boolean {
  return x <= right && x + width >= left && y <= bottom && y + height >= top;
}
