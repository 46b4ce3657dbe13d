import { useCallback, useSyncExternalStore } from "react";
import { JOB_COLUMNS, type JobColumn } from "./job-columns.tsx";

const STORAGE_KEY = "weft-job-columns-hidden";
const listeners = new Set<() => void>();

/** Ids of hidden columns out of what the browser keeps; what it cannot mean is left out. */
export function parseHidden(text: string | null): ReadonlySet<string> {
  return new Set((text ?? "").split(",").filter((id) => JOB_COLUMNS.some((column) => column.id === id)));
}

/** The columns that are shown, and a way to show or hide one. The browser remembers the choice for all runs. */
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
