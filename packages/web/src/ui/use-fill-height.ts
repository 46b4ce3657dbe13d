import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

/** Margin between the element and the lower edge of the window. */
const BOTTOM_PX = 20;

/**
 * Sets `--fill` on an element: the height that reaches the lower edge of the window while the page is not scrolled, but
 * at least `leastPx`. Updates when content above the element changes.
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
  useLayoutEffect(measure); // any render may change the content above
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener("resize", measure, { signal: stop.signal });
    return () => stop.abort();
  });
  return ref;
}
