import { useQuery } from "@tanstack/react-query";
import type { RunState } from "@weft/shared/records/state.ts";
import type { ReactNode } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { networkListQuery } from "../api/catalog-queries.ts";
import { runListQuery, runQuery } from "../api/run-queries.ts";
import { serverQuery } from "../api/session-query.ts";
import { RUN_FILTERS, RunList } from "../components/run-list.tsx";
import { dayRange } from "../components/day-range.ts";
import { RunFilters } from "../components/run-list/run-filters.tsx";
import { SavedViewsBar } from "../components/run-list/saved-views-bar.tsx";
import { MAX_COMPARED_RUNS, comparisonPath } from "../components/run-paths.ts";
import { RunTable } from "../components/run-table.tsx";
import { numberText } from "../format/count-text.ts";
import { ACTIVE_STATES, FAILED_STATES, RUN_STATE_NAMES } from "../format/state-look.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Segments } from "../ui/segments.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const ComparedSamples = onDemand(() => import("../features/table/compared-samples.tsx"), <Skeleton />);
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

/**
 * `/runs?state=&network=&q=&tag=&owner=&archived=&from=&to=&page=`, and `/runs?compare=a,b,c,d` to compare two to four runs;
 * `&add=1` selects another.
 */
export default function RunsRoute() {
  const [compare] = useSearchParam("compare");
  const [add] = useSearchParam("add");
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
  const choose = (id: string): void => void navigate(comparisonPath([...compared, id]));
  return (
    <>
      <PageHeading title="Runs" documentTitle="Runs" />
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
    <p role="status" className="card mb-3 flex flex-wrap items-center gap-3 px-4 py-2.5">
      {compared.length === 1
        ? `Select a run to compare with ${first === undefined ? "it" : `"${first.name}"`}.`
        : "Select another run to compare."}
      {compared.length === 1 ? (
        <Button small onClick={() => setCompare("")}>
          Cancel
        </Button>
      ) : (
        <Link className="btn btn-small" to={comparisonPath(compared)}>
          Back to comparison
        </Link>
      )}
    </p>
  );
}

function NetworkFilter() {
  const [network, setNetwork] = useSearchParam("network");
  const { data } = useQuery(networkListQuery(""));
  const ids = new Set([...(data?.networks.map(({ id }) => id) ?? []), ...(network === "" ? [] : [network])]);
  return (
    <label className="max-md:w-full">
      <span className="sr-only">Network</span>
      <Select
        className="max-w-full md:w-56"
        value={network}
        none="All networks and tools"
        options={[...ids].map((id) => ({ id, label: id }))}
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
  const count = ({ states }: RunStateTab): number =>
    (states ?? RUN_STATE_NAMES).reduce((sum, state) => sum + (data?.run_counts[state] ?? 0), 0);
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
