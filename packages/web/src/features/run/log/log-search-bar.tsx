import { useEffect, useState } from "react";
import type { LogSource } from "../../../api/job-log-query.ts";
import { Icon } from "../../../ui/icon.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { MAX_MATCHES } from "./search-lines.ts";
import { useLogSearch } from "./use-log-search.ts";
import { numberText, pluralOf } from "../../../format/count-text.ts";

export interface LogSearchBarProps {
  readonly source: LogSource;
  readonly from: number;
  readonly q: string;
  readonly onQ: (q: string) => void;
  /** The current match, a line number from 0; undefined without a search. */
  readonly onFound: (line: number | undefined) => void;
}

/** Searches the whole log; Enter and the buttons move between matches. */
export function LogSearchBar({ source, from, q, onQ, onFound }: LogSearchBarProps) {
  const [at, setAt] = useState(0);
  const { matches, isSearching } = useLogSearch(source, from, q);
  const count = matches?.length ?? 0;
  const current = count === 0 ? undefined : matches?.[at % count];
  useEffect(() => onFound(current), [current, onFound]);
  const go = (step: 1 | -1): void => setAt((old) => (old + step + count) % Math.max(1, count));
  return (
    <div role="search" className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <SearchField
        className="w-full min-w-24 max-w-xs"
        label="Search in this log"
        value={q}
        onChange={(text) => {
          onQ(text);
          setAt(0);
        }}
        onEnter={(event) => go(event.shiftKey ? -1 : 1)}
      />
      <button type="button" className="btn" aria-label="Previous match" disabled={count === 0} onClick={() => go(-1)}>
        <Icon name="up" />
      </button>
      <button type="button" className="btn" aria-label="Next match" disabled={count === 0} onClick={() => go(1)}>
        <Icon name="down" />
      </button>
      <span role="status" className="text-soft tabular-nums max-sm:text-[0.8125rem]">
        {isSearching ? "Searching…" : matches === undefined ? "" : countText(at, count)}
      </span>
    </div>
  );
}

function countText(at: number, count: number): string {
  if (count === 0) return "No matches";
  return `${numberText((at % count) + 1)} of ${numberText(count)}${count >= MAX_MATCHES ? "+" : ""} ${pluralOf("line", count)}`;
}
