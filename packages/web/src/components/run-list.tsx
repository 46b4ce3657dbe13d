import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { runListQuery, type RunFilter, type RunPage } from "../api/run-queries.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { NoMatch } from "../ui/no-match.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { holdNewRuns, newestOf } from "./run-list/hold-new-runs.ts";
import { NOTHING_SELECTED, select } from "./run-list/select-runs.ts";
import { SelectedRunsBar } from "./run-list/selected-runs-bar.tsx";
import { RunTable, type RunChoice } from "./run-table.tsx";
import { countText } from "../format/count-text.ts";

const PAGE_SIZE = 50;

/** The parts of the URL that filter the list of runs. */
export const RUN_FILTERS = ["state", "network", "q", "tag", "owner", "archived", "from", "to"] as const;

export interface RunListProps {
  readonly filter: Omit<RunFilter, "pageSize" | "pageToken">;
  readonly caption: string;
  readonly showProcess?: boolean;
  readonly choice?: RunChoice | undefined;
  /** Several runs can be selected, to abort or compare them. */
  readonly selectable?: boolean;
}

/** A page of runs that match a filter; the URL contains the page. */
export function RunList(props: RunListProps) {
  const [page] = useSearchParam("page");
  const runs = useQuery(runListQuery({ ...props.filter, pageSize: PAGE_SIZE, pageToken: page || undefined }));
  return (
    <QueryView query={runs}>
      {(data) =>
        data.runs.length === 0 ? (
          <NoRuns {...props} />
        ) : (
          <RunPageView key={page} data={data} isStale={runs.isPlaceholderData} {...props} />
        )
      }
    </QueryView>
  );
}

/** On the page of a network or tool, its own id is not a filter that the user set. */
function NoRuns({ filter, showProcess = true }: RunListProps) {
  if (!showProcess) return <EmptyState text="No runs yet." />;
  if (Object.values(filter).some((value) => value !== undefined))
    return <NoMatch text="No runs match these filters." filters={RUN_FILTERS} />;
  return (
    <EmptyState text="No runs yet.">
      <Link className="btn" to="/networks">
        Choose a network
      </Link>
    </EmptyState>
  );
}

type RunPageViewProps = RunListProps & { readonly data: RunPage; readonly isStale: boolean };

/** Runs that start while the list is open wait behind a button, so that no row moves under the cursor. */
function RunPageView({ data, isStale, caption, showProcess = true, choice, selectable = false }: RunPageViewProps) {
  // Rows of the previous page, shown while this one loads, say nothing about new runs.
  const [seen, setSeen] = useState<string | undefined>(undefined);
  if (seen === undefined && !isStale) setSeen(newestOf(data.runs));
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const { shown, held } = holdNewRuns(data.runs, seen);
  const ids = shown.map(({ run_id }) => run_id);
  const toggle = (id: string, isRange: boolean): void =>
    setSelection((old) => select(old, { shown: ids, id, isRange }));
  const selected = shown.filter(({ run_id }) => selection.ids.has(run_id));
  return (
    <>
      {held > 0 && <NewRunsButton count={held} onShow={() => setSeen(newestOf(data.runs))} />}
      <RunTable
        runs={shown}
        caption={caption}
        showProcess={showProcess}
        choice={choice}
        selection={selectable ? { ids: selection.ids, toggle } : undefined}
      />
      <Pager nextPageToken={data.next_page_token} shown={shown.length} total={data.total} noun="run" />
      {selected.length > 0 && <SelectedRunsBar selected={selected} onClear={() => setSelection(NOTHING_SELECTED)} />}
    </>
  );
}

function NewRunsButton({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <p role="status" className="mb-2 flex justify-center">
      <button type="button" className="btn btn-small max-md:min-h-11" onClick={onShow}>
        <Icon name="up" className="size-3.5" /> {countText(count, "new run")}: show
      </button>
    </p>
  );
}
