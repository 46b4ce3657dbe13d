export type Rgb = readonly [number, number, number];

/** Reads theme colors as numbers, for canvas drawing; `names` are CSS variables. */
export function readColors(near: HTMLElement, names: readonly string[]): (name: string) => Rgb {
  const probe = document.createElement("span");
  near.parentElement?.append(probe);
  const read = (name: string): Rgb => {
    probe.style.color = `var(--${name})`;
    const [r = 0, g = 0, b = 0] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map(Number);
    return [r, g, b];
  };
  const seen = new Map(names.map((name) => [name, read(name)]));
  probe.remove();
  return (name) => seen.get(name) ?? [0, 0, 0];
}

export function cssColor([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

/** Calls a listener whenever the colors of the page change; returns a function that removes the listener. */
export function onThemeChange(listener: () => void): () => void {
  const theme = new MutationObserver(listener);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const stop = new AbortController();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener, { signal: stop.signal });
  return () => {
    theme.disconnect();
    stop.abort();
  };
}
