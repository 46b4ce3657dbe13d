import { useQuery } from "@tanstack/react-query";
import { runListQuery } from "../../api/run-queries.ts";
import { TitledSection } from "../../ui/titled-section.tsx";
import { RunTable } from "../run-table.tsx";

const MOST = 20;

/** The newest pinned runs, above the list of all. */
export function PinnedRuns() {
  const { data } = useQuery(runListQuery({ pinned: true, pageSize: MOST }));
  if (data === undefined || data.runs.length === 0) return null;
  return (
    <div className="mb-5">
      <TitledSection title="Pinned">
        <RunTable runs={data.runs} caption="Pinned runs, newest first" />
      </TitledSection>
    </div>
  );
}
