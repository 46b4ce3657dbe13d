import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { runListQuery, type RunFilter } from "../api/run-queries.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { RunTable, type RunChoice } from "./run-table.tsx";

const PAGE_SIZE = 50;

export interface RunListProps {
  readonly filter: Omit<RunFilter, "pageSize" | "pageToken">;
  readonly caption: string;
  readonly showProcess?: boolean;
  readonly choice?: RunChoice | undefined;
}

/** A page of runs that fit a filter; which page stands in the URL. */
export function RunList({ filter, caption, showProcess = true, choice }: RunListProps) {
  const [page] = useSearchParam("page");
  const runs = useQuery(runListQuery({ ...filter, pageSize: PAGE_SIZE, pageToken: page || undefined }));
  return (
    <QueryView query={runs}>
      {(data) =>
        data.runs.length === 0 ? (
          <EmptyState
            text={
              Object.values(filter).some((value) => value !== undefined)
                ? "No run fits these filters."
                : "Nothing has run here yet."
            }
          >
            <Link className="btn" to="/networks">
              Choose a network
            </Link>
          </EmptyState>
        ) : (
          <>
            <RunTable runs={data.runs} caption={caption} showProcess={showProcess} choice={choice} />
            <Pager nextPageToken={data.next_page_token} shown={data.runs.length} total={data.total} noun="runs" />
          </>
        )
      }
    </QueryView>
  );
}
