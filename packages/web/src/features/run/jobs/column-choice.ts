import { useCallback, useSyncExternalStore } from "react";
import { HIDDEN_AT_FIRST, JOB_COLUMNS, type JobColumn } from "./job-columns.tsx";

const STORAGE_KEY = "weft-job-columns-hidden";
const listeners = new Set<() => void>();

/** The ids of hidden columns as they were saved, or those that are hidden at first; ignores invalid ones. */
export function parseHidden(text: string | null): ReadonlySet<string> {
  const ids = text === null ? HIDDEN_AT_FIRST : text.split(",");
  return new Set(ids.filter((id) => JOB_COLUMNS.some((column) => column.id === id)));
}

/** The visible columns, and a function that shows or hides one. The browser saves the choice for all runs. */
export function useColumnChoice(): { readonly shown: readonly JobColumn[]; readonly toggle: (id: string) => void } {
  const kept = useSyncExternalStore(subscribe, () => localStorage.getItem(STORAGE_KEY));
  const hidden = parseHidden(kept);
  const toggle = useCallback((id: string) => {
    const before = parseHidden(localStorage.getItem(STORAGE_KEY));
    const next = before.has(id) ? [...before].filter((entry) => entry !== id) : [...before, id];
    localStorage.setItem(STORAGE_KEY, next.join(","));
    for (const listener of listeners) listener();
  }, []);
  return { shown: JOB_COLUMNS.filter(({ id }) => !hidden.has(id)), toggle };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
