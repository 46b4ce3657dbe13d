import { useSyncExternalStore } from "react";

const phone = matchMedia("(max-width: 767px)");

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
