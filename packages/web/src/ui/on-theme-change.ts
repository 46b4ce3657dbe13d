/** Calls a listener whenever the colors of the page change; returns a function that ends it. */
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
