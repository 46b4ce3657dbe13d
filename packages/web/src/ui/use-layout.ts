import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

const phone = matchMedia("(max-width: 767px)");

/** Margin between the element and the lower edge of the window. */
const BOTTOM_PX = 20;

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

/** True if the page is as narrow as a phone; for sizes that CSS cannot set, such as the height of virtualized rows. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      phone.addEventListener("change", listener);
      return () => phone.removeEventListener("change", listener);
    },
    () => phone.matches,
  );
}

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
