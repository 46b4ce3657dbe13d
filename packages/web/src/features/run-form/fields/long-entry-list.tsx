import { useVirtualizer } from "@tanstack/react-virtual";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { type ReactNode, useEffect, useRef } from "react";
import { numberText } from "../../../format/count-text.ts";
import type { FormPath } from "../model/form-store.ts";
import { onReveal } from "./form-context.ts";

export interface EntryListProps {
  readonly path: FormPath;
  readonly label: string;
  readonly count: number;
  /** Estimated height in pixels of an entry that was not rendered yet. */
  readonly estimatedPx: number;
  readonly renderEntry: (place: number) => ReactNode;
}

/** A virtualized list. */
export default function LongEntryList({ path, label, count, estimatedPx, renderEntry }: EntryListProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => estimatedPx,
    overscan: 4,
  });
  useRevealedEntry(path, (place) => {
    if (place < count) virtual.scrollToIndex(place, { align: "center" });
  });
  return (
    <div
      ref={box}
      role="region"
      aria-label={`${label}: ${numberText(count)} entries`}
      tabIndex={0}
      className="max-h-72 overflow-y-auto rounded-lg border border-line bg-sunken/40 p-1.5"
    >
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={count}
            className="absolute left-0 w-full pb-1.5"
            style={{ top: start }}
          >
            {renderEntry(index)}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Calls `reveal` with the index of an entry that should take the focus. */
function useRevealedEntry(path: FormPath, reveal: (place: number) => void): void {
  const pointer = jsonPointer(path);
  useEffect(() =>
    onReveal((wanted) => {
      const [place] = wanted.startsWith(`${pointer}/`) ? wanted.slice(pointer.length + 1).split("/") : [];
      if (place !== undefined) reveal(Number(place));
    }),
  );
}
