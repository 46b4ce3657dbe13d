import { useLayoutEffect, useState, type RefObject } from "react";

/** The width of an element in CSS pixels, 0 before the first measurement. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const sizes = new ResizeObserver(() => setWidth(measured.clientWidth));
    sizes.observe(measured);
    return () => sizes.disconnect();
  }, [element]);
  return width;
}
