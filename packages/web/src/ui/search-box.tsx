import { useEffect, useState } from "react";
import { SearchField } from "./search-field.tsx";
import { useSearchParam } from "./use-search-param.ts";

const DEBOUNCE_MS = 150;

/** A search text in the URL (`?q=`), written there when typing pauses. */
export function SearchBox({ label }: { readonly label: string }) {
  const [q, setQ] = useSearchParam("q");
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  /** Texts on their way into the URL. The URL follows later, and more may have been typed by then. */
  const [written, setWritten] = useState<readonly string[]>([]);
  if (seen !== q) {
    setSeen(q);
    setWritten(written.slice(written.indexOf(q) + 1));
    // The URL changed by a link or the back button.
    if (!written.includes(q)) setText(q);
  }
  useEffect(() => {
    if (text === q) return;
    const page = location.pathname;
    const timer = setTimeout(() => {
      // While the next page is loading, this component is still mounted, and updating the URL would navigate back.
      if (location.pathname !== page) return;
      setWritten((earlier) => [...earlier, text]);
      setQ(text, { replace: true });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, q, setQ]);
  return <SearchField className="w-full md:max-w-sm" label={label} value={text} onChange={setText} />;
}
