const STORAGE_KEY = "weft-single-keys";
const listeners = new Set<() => void>();

/** Whether shortcuts of a single character work (WCAG 2.2, 2.1.4): they interfere with speech input. */
export function singleKeysOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== "off";
}

/** Saved for the next visit. */
export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, "off");
  for (const listener of listeners) listener();
}

export function subscribeSingleKeys(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
