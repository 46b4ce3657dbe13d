import { useQuery } from "@tanstack/react-query";
import type { RunState } from "@weft/shared/records/state.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { networkListQuery } from "../api/queries/catalog-queries.ts";
import { runListQuery, runQuery } from "../api/queries/run-queries.ts";
import { serverQuery } from "../api/session-query.ts";
import { dayRange } from "../components/day-range.ts";
import { savedViews, withView } from "../components/run-list/list-state.ts";
import { RunFilters } from "../components/run-list/run-filters.tsx";
import { RUN_FILTERS, RunList } from "../components/run-list/run-list.tsx";
import { RunTable } from "../components/run-list/run-table.tsx";
import { MAX_COMPARED_RUNS, links } from "../format/links.ts";
import { ACTIVE_STATES, FAILED_STATES, RUN_STATE_NAMES, countIn } from "../format/state-look.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Input, Select } from "../ui/field.tsx";
import { PlainForm } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { usePersisted } from "../ui/persisted.ts";
import { SearchBox } from "../ui/search-field.tsx";
import { Segments } from "../ui/segments.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { RUN_VIEWS, preloadTab } from "./tab-views.tsx";

const ComparedSamples = onDemand(
  async () => ({ default: (await import("../features/table/table-view.tsx")).ComparedSamples }),
  <Skeleton />,
);
const RunComparison = onDemand(() => import("../features/compare/run-comparison.tsx"), <Skeleton />);

const MOST = 20;

/** The groups by which runs are filtered; `id` is the value of `?state=`. */
const RUN_STATE_TABS: readonly [RunStateTab, ...RunStateTab[]] = [
  { id: "", label: "All", states: undefined },
  { id: "running", label: "Running", states: ACTIVE_STATES },
  { id: "queued", label: "Queued", states: ["QUEUED"] },
  { id: "succeeded", label: "Succeeded", states: ["COMPLETE"] },
  { id: "failed", label: "Failed", states: FAILED_STATES },
  { id: "cancelled", label: "Aborted", states: ["CANCELED"] },
];

/** Delay after which the list requests the code of a run, so that opening one only waits for its record. */
const REST_MS = 1000;

function preloadRun(): () => void {
  const timer = setTimeout(() => {
    preloadTab(RUN_VIEWS, null);
    import("./run-route.tsx").catch(() => undefined); // the page of the run reports it
  }, REST_MS);
  return () => clearTimeout(timer);
}

/**
 * `/runs?state=&network=&q=&tag=&owner=&archived=&from=&to=&page=`, and `/runs?compare=a,b,c,d` to compare two to four runs;
 * `&add=1` selects another.
 */
export default function RunsRoute() {
  const [compare] = useSearchParam("compare");
  const [add] = useSearchParam("add");
  useEffect(preloadRun, []);
  const ids = compare.split(",").filter((id) => id !== "");
  if (ids.length < 2 || (add !== "" && ids.length < MAX_COMPARED_RUNS)) return <AllRuns compared={ids} />;
  return (
    <>
      <PageHeading title="Compare runs" documentTitle="Compare - Runs" crumbs={[{ label: "Runs", to: "/runs" }]} />
      <ComparedBy runIds={ids} />
    </>
  );
}

const COMPARED = [
  { id: "", label: "Runs" },
  { id: "samples", label: "Samples" },
] as const;

/** The differences between the runs, or between their samples (`&by=samples`). */
function ComparedBy({ runIds }: { readonly runIds: readonly string[] }) {
  const [by, setBy] = useSearchParam("by");
  return (
    <div className="space-y-4">
      <Segments label="Compare" options={COMPARED} chosen={by} onChoose={(id) => setBy(id, { replace: true })} />
      {by === "samples" ? <ComparedSamples runIds={runIds} /> : <RunComparison runIds={runIds} />}
    </div>
  );
}

/** With `compared`, lets the user select another run. */
function AllRuns({ compared }: { readonly compared: readonly string[] }) {
  const navigate = useNavigate();
  const [state, setState] = useSearchParam("state");
  const [page] = useSearchParam("page");
  const { filter, key } = useRunFilter();
  const chosen = runStateTab(state);
  const choose = (id: string): void => void navigate(links.comparison([...compared, id]));
  return (
    <>
      <PageHeading title="Runs" />
      <RunFilters>
        <RunStateFilter chosen={chosen} onChoose={setState} counted={key === ""} />
        <NetworkFilter />
        <div className="w-full md:w-72">
          <SearchBox label="Name, ID, network or tool" />
        </div>
      </RunFilters>
      <SavedViewsBar filters={RUN_FILTERS} />
      {compared.length > 0 && <ChoiceHint compared={compared} />}
      <PinnedRuns isShown={compared.length === 0 && key === "" && chosen.id === "" && page === ""}>
        <RunList
          key={`${chosen.id} ${key}`}
          choice={compared.length === 0 ? undefined : { label: "Compare", except: compared, choose }}
          filter={{ state: chosen.states?.join(","), ...filter }}
          caption="Runs, newest first"
          selectable={compared.length === 0}
        />
      </PinnedRuns>
    </>
  );
}

/** The filters in the URL except states, and a key that is "" without filters. */
function useRunFilter() {
  const [params] = useSearchParams();
  const value = (name: (typeof RUN_FILTERS)[number]): string | undefined => params.get(name) || undefined;
  const key = RUN_FILTERS.filter((name) => name !== "state")
    .map((name) => value(name) ?? "")
    .join(" ")
    .trim();
  const filter = {
    network: value("network"),
    q: value("q"),
    tag: value("tag"),
    owner: value("owner"),
    archived: archivedFilter(value("archived")),
    ...dayRange({ from: value("from") ?? "", to: value("to") ?? "" }),
  };
  return { filter, key };
}

function archivedFilter(text: string | undefined): "only" | "all" | undefined {
  return text === "only" || text === "all" ? text : undefined;
}

function ChoiceHint({ compared }: { readonly compared: readonly string[] }) {
  const [, setCompare] = useSearchParam("compare");
  const { data: first } = useQuery(runQuery(compared[0] ?? ""));
  return (
    <Notice
      role="status"
      className="mb-3"
      actions={
        compared.length === 1 ? (
          <Button small onClick={() => setCompare("")}>
            Cancel
          </Button>
        ) : (
          <Link className="btn btn-small" to={links.comparison(compared)}>
            Back to comparison
          </Link>
        )
      }
    >
      {compared.length === 1
        ? `Select a run to compare with ${first === undefined ? "it" : `"${first.name}"`}.`
        : "Select another run to compare."}
    </Notice>
  );
}

function NetworkFilter() {
  const [network, setNetwork] = useSearchParam("network");
  const { data } = useQuery(networkListQuery(""));
  const labels = new Map(data?.networks.map(({ id, label = id }) => [id, label]));
  if (network !== "" && !labels.has(network)) labels.set(network, network);
  return (
    <label className="max-md:w-full">
      <span className="sr-only">Network</span>
      <Select
        className="max-w-full md:w-56"
        value={network}
        none="All networks and tools"
        options={[...labels].map(([id, label]) => ({ id, label }))}
        onChoose={setNetwork}
      />
    </label>
  );
}

interface PinnedRunsProps {
  readonly isShown: boolean;
  /** The list of all runs. It waits for the pinned ones, which would push it down. */
  readonly children: ReactNode;
}

/** The newest pinned runs, above the list of all. */
function PinnedRuns({ isShown, children }: PinnedRunsProps) {
  const pinned = useQuery({ ...runListQuery({ pinned: "true", page_size: MOST }), enabled: isShown });
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

interface RunStateFilterProps {
  readonly chosen: RunStateTab;
  readonly onChoose: (id: string) => void;
  /** False next to another filter, because counts cover all runs of the server. */
  readonly counted: boolean;
}

/** Groups of states to select, with the current number of runs in each. */
function RunStateFilter({ chosen, onChoose, counted }: RunStateFilterProps) {
  const { data } = useQuery(serverQuery());
  const count = ({ states = RUN_STATE_NAMES }: RunStateTab): number => countIn(data?.run_counts ?? {}, states);
  const options = RUN_STATE_TABS.map((tab) => ({
    id: tab.id,
    label: tab.label,
    note: counted && data !== undefined && (
      <span className="ml-1.5 text-small tabular-nums">{numberText(count(tab))}</span>
    ),
  }));
  return <Segments label="Filter by state" options={options} chosen={chosen.id} onChoose={onChoose} />;
}

interface RunStateTab {
  readonly id: string;
  readonly label: string;
  readonly states: readonly RunState[] | undefined;
}

/** The group named by `?state=`; an unknown name means all. */
function runStateTab(id: string): RunStateTab {
  return RUN_STATE_TABS.find((tab) => tab.id === id) ?? RUN_STATE_TABS[0];
}

/** The views saved in this browser, and a way to save the current one. */
function SavedViewsBar({ filters }: { readonly filters: readonly string[] }) {
  const [params] = useSearchParams();
  const [views, setViews] = usePersisted(savedViews);
  const search = String(new URLSearchParams([...params].filter(([name]) => filters.includes(name))));
  const isKept = views.some((view) => view.search === search);
  if (views.length === 0 && search === "") return null;
  return (
    <div role="group" aria-label="Saved views" className="mb-3 flex flex-wrap items-center gap-2">
      {views.map((view) => (
        <span key={view.name} className="inline-flex items-center rounded-lg border border-line bg-surface">
          <Link
            to={`/runs?${view.search}`}
            aria-current={view.search === search ? "true" : undefined}
            className="min-h-7 max-w-60 truncate rounded-l-lg px-2.5 leading-7 text-soft hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent max-md:min-h-11 max-md:leading-11"
          >
            {view.name}
          </Link>
          <IconButton
            label={`Remove view ${view.name}`}
            icon="close"
            look="bare"
            iconClass="size-3"
            className="flex size-7 items-center justify-center text-soft hover:text-ink max-md:size-11"
            onClick={() => setViews(views.filter((other) => other !== view))}
          />
        </span>
      ))}
      {search !== "" && !isKept && <SaveForm key={search} search={search} />}
    </div>
  );
}

function SaveForm({ search }: { readonly search: string }) {
  const [isOpen, setOpen] = useState(false);
  const submit = (form: FormData): void =>
    savedViews.set(withView(savedViews.get(), String(form.get("name") ?? ""), search));
  if (!isOpen)
    return (
      <Button small onClick={() => setOpen(true)}>
        <Icon name="plus" className="size-3" /> Save view
      </Button>
    );
  return (
    <PlainForm className="flex gap-2" onSubmit={submit}>
      <Input
        className="min-h-7 w-44 py-0"
        name="name"
        aria-label="View name"
        maxLength={60}
        required
        // Users who pressed the button want to type here. eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
      />
      <Button small type="submit">
        Save
      </Button>
    </PlainForm>
  );
}
