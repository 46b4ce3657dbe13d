import { useEffect, useRef, useState } from "react";
import { Icon } from "./icon.tsx";
import { useShortcuts } from "./keyboard/use-shortcuts.ts";
import { useSearchParam } from "./use-search-param.ts";

const DEBOUNCE_MS = 150;

/** A search text that stands in the URL as `?q=`, written there when typing pauses. */
export function SearchBox({ label }: { readonly label: string }) {
  const [q, setQ] = useSearchParam("q");
  const box = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => box.current?.focus() });
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  if (seen !== q) {
    // The URL changed by a link or the back button.
    setSeen(q);
    setText(q);
  }
  useEffect(() => {
    if (text === q) return;
    const page = location.pathname;
    const timer = setTimeout(() => {
      // While the next page is being read this one still stands here, and writing its URL would lead back to it.
      if (location.pathname !== page) return;
      setSeen(text);
      setQ(text, { replace: true });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, q, setQ]);
  return (
    <label className="relative block w-full md:max-w-sm">
      <span className="sr-only">{label}</span>
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft" />
      <input
        ref={box}
        type="search"
        className="input pl-8"
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
