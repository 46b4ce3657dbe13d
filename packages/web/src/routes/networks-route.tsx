import { useQuery } from "@tanstack/react-query";
import type { NetworkSummary } from "@weft/shared/records/process-record.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { Link } from "react-router-dom";
import { networkListQuery } from "../api/queries/catalog-queries.ts";
import { CatalogName, NewLinks, RunNetworkLink } from "../components/process/process-link.tsx";
import { ValidityBadge } from "../components/badges.tsx";
import { NETWORK_SORTS, sortNetworks } from "../features/networks/sort-networks.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { NoMatch } from "../ui/empty-state.tsx";
import { Select, InlineField } from "../ui/field.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { Toolbar } from "../ui/toolbar.tsx";

const COLUMNS: readonly Column<NetworkSummary>[] = [
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
export default function NetworksRoute() {
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
            columns={COLUMNS}
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
    <Link className="link" to={`/network/${id}?tab=runs`}>
      <TimeAgo time={stats.last_run_at} /> · {countText(stats.runs, "run")}
    </Link>
  );
}

function firstSentence(doc: string | undefined): string {
  return doc?.split(/(?<=\.)\s|\n/)[0] ?? "";
}
