import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { runListQuery } from "../../api/run-queries.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { RunTable } from "../run-table.tsx";

const MOST = 20;

interface PinnedRunsProps {
  readonly isShown: boolean;
  /** The list of all runs. It waits for the pinned ones, which would push it down. */
  readonly children: ReactNode;
}

/** The newest pinned runs, above the list of all. */
export function PinnedRuns({ isShown, children }: PinnedRunsProps) {
  const pinned = useQuery({ ...runListQuery({ pinned: true, pageSize: MOST }), enabled: isShown });
  const runs = isShown ? (pinned.data?.runs ?? []) : [];
  return (
    <>
      {pinned.isLoading && <Skeleton />}
      {runs.length > 0 && (
        <div className="mb-5">
          <TitledSection title="Pinned">
            <RunTable runs={runs} caption="Pinned runs, newest first" />
          </TitledSection>
        </div>
      )}
      <div hidden={pinned.isLoading}>{children}</div>
    </>
  );
}
