import { useEffect, useRef, useState } from "react";
import type { LogSource } from "../../../api/job-log-query.ts";
import { Icon } from "../../../ui/icon.tsx";
import { useShortcuts } from "../../../ui/keyboard/use-shortcuts.ts";
import { MAX_MATCHES } from "./search-lines.ts";
import { useLogSearch } from "./use-log-search.ts";

export interface LogSearchBarProps {
  readonly source: LogSource;
  readonly from: number;
  /** The line that was found, from 0; undefined when nothing is searched. */
  readonly onFound: (line: number | undefined) => void;
}

/** Searches the whole log; Enter and the buttons go from match to match. */
export function LogSearchBar({ source, from, onFound }: LogSearchBarProps) {
  const box = useRef<HTMLInputElement>(null);
  const [q, setQ] = useState("");
  const [at, setAt] = useState(0);
  const { matches, isSearching } = useLogSearch(source, from, q);
  useShortcuts({ search: () => box.current?.focus() });
  const count = matches?.length ?? 0;
  const current = count === 0 ? undefined : matches?.[at % count];
  useEffect(() => onFound(current), [current, onFound]);
  const go = (step: 1 | -1): void => setAt((old) => (old + step + count) % Math.max(1, count));
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <label className="relative block w-full max-w-xs">
        <span className="sr-only">Search in this log</span>
        <Icon
          name="search"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft"
        />
        <input
          ref={box}
          type="search"
          className="input pl-8"
          placeholder="Search in this log"
          value={q}
          onChange={(event) => {
            setQ(event.target.value);
            setAt(0);
          }}
          onKeyDown={(event) => event.key === "Enter" && go(event.shiftKey ? -1 : 1)}
        />
      </label>
      <button type="button" className="btn" aria-label="Match before" disabled={count === 0} onClick={() => go(-1)}>
        <Icon name="up" />
      </button>
      <button type="button" className="btn" aria-label="Next match" disabled={count === 0} onClick={() => go(1)}>
        <Icon name="down" />
      </button>
      <span role="status" className="text-soft tabular-nums">
        {isSearching ? "Searching…" : matches === undefined ? "" : countText(at, count)}
      </span>
    </div>
  );
}

function countText(at: number, count: number): string {
  if (count === 0) return "Found nowhere";
  return `${(at % count) + 1} of ${count}${count >= MAX_MATCHES ? "+" : ""} lines`;
}
