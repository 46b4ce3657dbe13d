import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { type ReactNode, useEffect } from "react";
import { numberText } from "../../../format/count-text.ts";
import { VirtualList, useVirtualList } from "../../../ui/virtual-list.tsx";
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
  const list = useVirtualList({ count, itemPx: estimatedPx });
  useRevealedEntry(path, (place) => {
    if (place < count) list.scrollTo(place, "center");
  });
  return (
    <VirtualList
      list={list}
      role="region"
      aria-label={`${label}: ${numberText(count)} entries`}
      tabIndex={0}
      className="max-h-72 rounded-lg border border-line bg-sunken/40 p-1.5"
      item={(place) => ({ "aria-posinset": place + 1, "aria-setsize": count, className: "pb-1.5" })}
      renderItem={renderEntry}
    />
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
