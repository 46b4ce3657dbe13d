import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { DescribeRuns, RunSummary } from "@weft/shared/records/run-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { api } from "../../api/client.ts";
import { runListQuery, type RunFilter, type RunPage } from "../../api/queries/run-queries.ts";
import { invalidateRoutes } from "../../api/route-query.ts";
import { MAX_COMPARED_RUNS, links } from "../../format/links.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { parseTags } from "../../format/tags-text.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState, NoMatch } from "../../ui/empty-state.tsx";
import { CheckField, Field, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { showError, showToast } from "../../ui/toast.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { AbortDialog } from "../run/run-controls.tsx";
import { NOTHING_SELECTED, abortedText, holdNewRuns, newestOf, select } from "./list-state.ts";
import { RunTable, type RunChoice } from "./run-table.tsx";

const PAGE_SIZE = 50;

/** The parts of the URL that filter the list of runs. */
export const RUN_FILTERS = ["state", "network", "q", "tag", "owner", "archived", "from", "to"] as const;

interface RunListProps {
  readonly filter: RunFilter;
  readonly caption: string;
  readonly showProcess?: boolean;
  readonly choice?: RunChoice | undefined;
  /** Several runs can be selected, to abort or compare them. */
  readonly selectable?: boolean;
}

/** A page of runs that match a filter; the URL contains the page. */
export function RunList(props: RunListProps) {
  const [page] = useSearchParam("page");
  const runs = useQuery(runListQuery({ ...props.filter, page_size: PAGE_SIZE, page_token: page }));
  return (
    <QueryView query={runs}>
      {(data) =>
        data.runs.length === 0 ? (
          <NoRuns {...props} />
        ) : (
          <>
            <RunPageView key={page} data={data} isStale={runs.isPlaceholderData} {...props} />
            <Pager nextPageToken={data.next_page_token} shown={data.runs.length} total={data.total} noun="run" />
          </>
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
      {held > 0 && (
        <p role="status" className="mb-2 flex justify-center">
          <Button small onClick={() => setSeen(newestOf(data.runs))}>
            <Icon name="up" className="size-3.5" /> {countText(held, "new run")}: show
          </Button>
        </p>
      )}
      <RunTable
        runs={shown}
        caption={caption}
        showProcess={showProcess}
        choice={choice}
        selection={selectable ? { ids: selection.ids, toggle } : undefined}
      />
      {selected.length > 0 && <SelectedRunsBar selected={selected} onClear={() => setSelection(NOTHING_SELECTED)} />}
    </>
  );
}

interface SelectedRunsBarProps {
  readonly selected: readonly RunSummary[];
  readonly onClear: () => void;
}

/** Actions for the selected runs: abort open ones, compare two to four, pin, tag and archive. */
function SelectedRunsBar({ selected, onClear }: SelectedRunsBarProps) {
  const [asking, setAsking] = useState(false);
  const open = selected.filter(({ state }) => !STATE_LOOKS[state].final && state !== "CANCELING");
  const abort = useAbort(open, () => {
    setAsking(false);
    onClear();
  });
  return (
    <div
      role="region"
      aria-label="Selected runs"
      className="popup sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-2 px-4 py-2"
    >
      <span className="font-medium">{countText(selected.length, "run")} selected</span>
      <span className="ml-auto flex flex-wrap gap-2">
        <CompareLink selected={selected} />
        <DescribeSelected selected={selected} onDone={onClear} />
        {open.length > 0 && (
          <Button look="danger" disabled={abort.isPending} onClick={() => setAsking(true)}>
            <Icon name="stop" className="size-3.5" /> Abort {countText(open.length, "run")}
          </Button>
        )}
        <Button look="quiet" onClick={onClear}>
          Clear selection
        </Button>
      </span>
      {asking && (
        <AbortDialog
          runs={open}
          pending={abort.isPending}
          onConfirm={() => abort.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function useAbort(runs: readonly RunSummary[], onDone: () => void) {
  return useMutation({
    mutationFn: () =>
      Promise.allSettled(runs.map(({ run_id }) => api("DELETE /api/runs/{run_id}", { params: { run_id } }))),
    onSuccess: (answers) => {
      const show = answers.some(({ status }) => status === "rejected") ? showError : showToast;
      show(abortedText(answers));
      onDone();
    },
  });
}

/** The list shows the newest run first; the oldest is the base of the comparison. */
function CompareLink({ selected }: Pick<SelectedRunsBarProps, "selected">) {
  if (selected.length < 2) return null;
  if (selected.length > MAX_COMPARED_RUNS)
    return <span className="self-center text-soft">You can compare at most {MAX_COMPARED_RUNS} runs</span>;
  return (
    <Link className="btn" to={links.comparison(selected.map(({ run_id }) => run_id).toReversed())}>
      Compare
    </Link>
  );
}

type RunsChange = Omit<DescribeRuns, "run_ids">;

interface DescribeSelectedProps {
  readonly selected: readonly RunSummary[];
  readonly onDone: () => void;
}

/** Pins, archives and tags the selected runs. */
function DescribeSelected({ selected, onDone }: DescribeSelectedProps) {
  const [isTagging, setIsTagging] = useState(false);
  const change = useChangeRuns(selected, onDone);
  const isPinned = selected.every(({ pinned }) => pinned);
  const isArchived = selected.every(({ archived }) => archived);
  const areFinal = selected.every(({ state }) => STATE_LOOKS[state].final);
  return (
    <>
      <Button disabled={change.isPending} onClick={() => change.mutate({ pinned: !isPinned })}>
        {isPinned ? "Unpin" : "Pin"}
      </Button>
      <Button disabled={change.isPending} onClick={() => setIsTagging(true)}>
        Tags…
      </Button>
      {(areFinal || isArchived) && (
        <Button disabled={change.isPending} onClick={() => change.mutate({ archived: !isArchived })}>
          {isArchived ? "Unarchive" : "Archive"}
        </Button>
      )}
      {isTagging && (
        <TagDialog
          selected={selected}
          pending={change.isPending}
          onChange={(wanted) => change.mutate(wanted)}
          onClose={() => setIsTagging(false)}
        />
      )}
    </>
  );
}

function useChangeRuns(selected: readonly RunSummary[], onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: RunsChange) =>
      api("POST /api/runs/describe", { body: { run_ids: selected.map(({ run_id }) => run_id), ...change } }),
    onSuccess: ({ changed, refused }) => {
      const [first] = refused;
      if (first === undefined) showToast(`Changed ${countText(changed, "run")}`);
      else showError(`${countText(refused.length, "run")} could not be changed: ${first.detail}`);
      void invalidateRoutes(cache, "GET /api/runs/{run_id}", "GET /api/runs", "GET /api/server");
      onDone();
    },
    onError: (error) => showError(`The runs were not changed: ${error.message}`),
  });
}

interface TagDialogProps {
  readonly selected: readonly RunSummary[];
  readonly pending: boolean;
  readonly onChange: (change: RunsChange) => void;
  readonly onClose: () => void;
}

/** Adds tags to the selected runs and removes some that they have. */
function TagDialog({ selected, pending, onChange, onClose }: TagDialogProps) {
  const [problem, setProblem] = useState("");
  const present = [...new Set(selected.flatMap(({ tags }) => Object.keys(tags)))].toSorted();
  const submit = (form: FormData): void => {
    const added = parseTags(String(form.get("add") ?? ""));
    const removed = form.getAll("remove").map(String);
    const isEmpty = Object.keys(added.tags).length === 0 && removed.length === 0;
    const wrong = added.problem || (isEmpty ? "Write a tag to add, or choose one to remove." : "");
    setProblem(wrong);
    if (wrong === "") onChange({ add_tags: added.tags, remove_tags: removed });
  };
  return (
    <FormDialog
      title={`Tags of ${countText(selected.length, "run")}`}
      submitLabel="Change tags"
      isPending={pending}
      refusal={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Add">
        <TextArea className="code min-h-20" name="add" placeholder={"paper: figure-2\nchecked"} />
      </Field>
      <RemovedTags present={present} />
    </FormDialog>
  );
}

function RemovedTags({ present }: { readonly present: readonly string[] }) {
  if (present.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Remove</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {present.map((tag) => (
          <CheckField key={tag} className="wrap-anywhere" name="remove" value={tag}>
            {tag}
          </CheckField>
        ))}
      </div>
    </fieldset>
  );
}
