import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

/** Room between the end of what fills the window and the end of the window. */
const BOTTOM_PX = 20;

/**
 * Sets `--fill` on an element: the height with which it reaches the lower end of the window while the page is not
 * scrolled, but at least `leastPx`. It follows what lies above the element.
 */
export function useFillHeight(leastPx: number): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  const measure = (): void => {
    const element = ref.current;
    if (element === null) return;
    const top = element.getBoundingClientRect().top + window.scrollY;
    const height = Math.max(leastPx, Math.floor(window.innerHeight - top - BOTTOM_PX));
    element.style.setProperty("--fill", `${height}px`);
  };
  useLayoutEffect(measure); // what lies above may change whenever the page is drawn
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener("resize", measure, { signal: stop.signal });
    return () => stop.abort();
  });
  return ref;
}
