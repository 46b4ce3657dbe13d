import { lazy, Suspense } from "react";
import type { EntryListProps } from "./long-entry-list.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

const LongEntryList = lazy(() => import("./long-entry-list.tsx"));

/** Longer lists are virtualized in their own scroll box. */
const LONGEST_WHOLE = 12;

/** The entries of a list, each in its own element. */
export function EntryList(props: EntryListProps) {
  const { count, renderEntry } = props;
  if (count > LONGEST_WHOLE)
    return (
      <Suspense fallback={<Skeleton rows={6} />}>
        <LongEntryList {...props} />
      </Suspense>
    );
  return (
    <ol className="space-y-1.5">
      {Array.from({ length: count }, (_, place) => (
        <li key={place}>{renderEntry(place)}</li>
      ))}
    </ol>
  );
}
