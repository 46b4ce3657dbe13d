import { useQuery } from "@tanstack/react-query";
import type { ProcessKind } from "@weft/shared/records/draft-record.ts";
import type { NetworkSummary, ToolSummary } from "@weft/shared/records/process-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { Link } from "react-router-dom";
import { networkListQuery, toolListQuery } from "../api/queries/catalog-queries.ts";
import { ValidityBadge } from "../components/badges.tsx";
import { CatalogName, NewLinks, RunNetworkLink } from "../components/process/process-link.tsx";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { NoMatch } from "../ui/empty-state.tsx";
import { InlineField, Select } from "../ui/field.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { Toolbar } from "../ui/toolbar.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { TextLink } from "../ui/text-link.tsx";

/** `/networks` and `/tool` */
export default function CatalogRoute({ kind }: { readonly kind: ProcessKind }) {
  return kind === "network" ? <Networks /> : <Tools />;
}

const NETWORK_COLUMNS: readonly Column<NetworkSummary>[] = [
  {
    label: "Network",
    bare: true,
    render: ({ id, label, doc }) => (
      <CatalogName to={`/network/${id}`} id={id} label={label} more={firstSentence(doc)} />
    ),
  },
  { label: "Version", render: ({ version }) => version ?? <span className="text-soft">–</span> },
  { label: "Document", render: (network) => <ValidityBadge status={network.validation_status} /> },
  { label: "Steps", number: true, render: (network) => network.step_count },
  { label: "Required inputs", number: true, render: (network) => network.required_inputs },
  { label: "Last run", render: (network) => <LastRun network={network} /> },
  {
    label: "Typical duration",
    number: true,
    render: ({ stats: { median_duration_ms: usualMs } }) =>
      usualMs === null ? <span className="text-soft">–</span> : formatDuration(usualMs),
  },
  {
    label: "Actions",
    hidden: true,
    className: "text-right",
    render: ({ id, validation_status: status }) => status !== "invalid" && <RunNetworkLink id={id} />,
  },
];

/** `/networks?q=&sort=` */
function Networks() {
  const [q] = useSearchParam("q");
  const [wanted, setSort] = useSearchParam("sort");
  const sort = NETWORK_SORTS.find(({ id }) => id === wanted)?.id ?? "";
  const networks = useQuery(networkListQuery(q));
  return (
    <>
      <PageHeading title="Networks" actions={<NewLinks to="/networks/new" label="New network" />} />
      <Toolbar className="mb-3">
        <SearchBox label="ID, title or description" />
        <InlineField label="Sort by">
          <Select className="w-auto" value={sort} options={NETWORK_SORTS} onChoose={setSort} />
        </InlineField>
      </Toolbar>
      <QueryView query={networks}>
        {(data) => (
          <DataTable
            caption="Networks of the catalog"
            columns={NETWORK_COLUMNS}
            rows={sortNetworks(data.networks, sort)}
            keyOf={({ id }) => id}
            empty={
              q === "" ? "The catalog has no networks." : <NoMatch text={`No networks match "${q}".`} filters={["q"]} />
            }
          />
        )}
      </QueryView>
    </>
  );
}

function LastRun({ network: { id, stats } }: { readonly network: NetworkSummary }) {
  if (stats.last_run_at === null) return <span className="text-soft">never</span>;
  return (
    <TextLink to={`/network/${id}?tab=runs`}>
      <TimeAgo time={stats.last_run_at} /> · {countText(stats.runs, "run")}
    </TextLink>
  );
}

function firstSentence(doc: string | undefined): string {
  return doc?.split(/(?<=\.)\s|\n/)[0] ?? "";
}

const NETWORK_SORTS = [
  { id: "", label: "Name" },
  { id: "last", label: "Last run" },
  { id: "runs", label: "Most runs" },
] as const;

/** Networks in the order `?sort=`: most recently or most often used first; by name for any other value. */
export function sortNetworks(networks: readonly NetworkSummary[], sort: string): readonly NetworkSummary[] {
  const byName = networks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (sort === "last")
    return byName.toSorted((a, b) => (b.stats.last_run_at ?? "").localeCompare(a.stats.last_run_at ?? ""));
  if (sort === "runs") return byName.toSorted((a, b) => b.stats.runs - a.stats.runs);
  return byName;
}

const TOOL_COLUMNS: readonly Column<ToolSummary>[] = [
  {
    label: "Tool",
    bare: true,
    render: ({ id, label }) => <CatalogName to={`/tool/${id}`} id={id} label={label} />,
  },
  { label: "Latest", render: ({ version }) => version },
  { label: "All versions", render: (tool) => <VersionLinks tool={tool} /> },
  { label: "Kind", render: (tool) => tool.class ?? "unknown" },
  { label: "Document", render: (tool) => <ValidityBadge status={tool.validation_status} /> },
  {
    label: "Container",
    className: "code",
    render: ({ container }) => container ?? <span className="text-soft">none</span>,
  },
  { label: "Used by", number: true, render: (tool) => countText(tool.used_by_count, "step") },
];

/** `/tool?q=` */
function Tools() {
  const [q] = useSearchParam("q");
  const tools = useQuery(toolListQuery(q));
  return (
    <>
      <PageHeading title="Tools" actions={<NewLinks to="/tools/new" label="New tool" />} />
      <div className="mb-3">
        <SearchBox label="ID, title or description" />
      </div>
      <QueryView query={tools}>
        {(data) => (
          <DataTable
            caption="Tools of the catalog"
            columns={TOOL_COLUMNS}
            rows={data.tools}
            keyOf={({ id }) => id}
            empty={q === "" ? "The catalog has no tools." : <NoMatch text={`No tools match "${q}".`} filters={["q"]} />}
          />
        )}
      </QueryView>
    </>
  );
}

function VersionLinks({ tool: { id, versions } }: { readonly tool: ToolSummary }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {versions.map(({ version, deprecated }) => (
        <Link key={version} className={`link ${deprecated ? "text-soft" : ""}`} to={`/tool/${id}/${version}`}>
          {version}
          {deprecated && " (deprecated)"}
        </Link>
      ))}
    </span>
  );
}
