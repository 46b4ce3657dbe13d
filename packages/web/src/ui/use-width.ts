import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from "react";

const phone = matchMedia("(max-width: 767px)");

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

/** Whether the page is as narrow as a phone: for sizes that CSS cannot set, such as the height of virtualized rows. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      phone.addEventListener("change", listener);
      return () => phone.removeEventListener("change", listener);
    },
    () => phone.matches,
  );
}
