import type { EntryListProps } from "./long-entry-list.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";

const LongEntryList = onDemand(() => import("./long-entry-list.tsx"), <Skeleton rows={6} />);

/** Longer lists are virtualized in their own scroll box. */
const LONGEST_WHOLE = 12;

/** The entries of a list, each in its own element. */
export function EntryList(props: EntryListProps) {
  const { count, renderEntry } = props;
  if (count > LONGEST_WHOLE) return <LongEntryList {...props} />;
  return (
    <ol className="space-y-1.5">
      {Array.from({ length: count }, (_, place) => (
        <li key={place}>{renderEntry(place)}</li>
      ))}
    </ol>
  );
}
