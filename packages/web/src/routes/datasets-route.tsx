import { useQuery } from "@tanstack/react-query";
import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { Dataset, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { Link } from "react-router-dom";
import { api } from "../api/client.ts";
import { datasetListQuery } from "../api/queries/dataset-queries.ts";
import { routeQuery, useChange } from "../api/route-query.ts";
import { useRights } from "../api/session-query.ts";
import { links } from "../format/links.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { DeleteButton } from "../ui/delete-button.tsx";
import { EmptyState, NoMatch } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { NameLink, TextLink } from "../ui/text-link.tsx";

const SAVED_QUERY_COLUMNS: readonly Column<SavedDatasetQuery>[] = [
  {
    label: "Query",
    bare: true,
    render: ({ query_id: id, name, network, query }) => (
      <NameLink to={links.dataset(query, { network, query: id })}>{name}</NameLink>
    ),
  },
  {
    label: "Network",
    render: ({ network }) => <TextLink to={links.network({ id: network })}>{network}</TextLink>,
  },
  { label: "Dataset", className: "code wrap-anywhere", render: ({ query }) => query.location },
  {
    label: "Conditions",
    className: "wrap-anywhere",
    render: ({ query }) => writeConditions(query.where ?? []) || "all files",
  },
  {
    label: "Changed",
    render: (saved) => (
      <>
        <TimeAgo time={saved.updated_at} /> <span className="text-soft">by {saved.updated_by}</span>
      </>
    ),
  },
  { label: "Actions", hidden: true, className: "text-right", render: (saved) => <RowActions saved={saved} /> },
];

/** `/datasets?q=&network=` */
export default function DatasetsRoute() {
  const [q] = useSearchParam("q");
  const [network] = useSearchParam("network");
  const datasets = useQuery(datasetListQuery());
  const matches = (text: string): boolean => text.toLowerCase().includes(q.toLowerCase());
  return (
    <div className="space-y-6">
      <PageHeading title="Datasets" />
      {network !== "" && <p className="text-soft">Choose a dataset to make samples for {network}, or a saved query.</p>}
      <SearchBox label="Name or location" />
      <QueryView query={datasets}>
        {({ datasets: all }) => {
          const shown = all.filter(({ name, location }) => matches(name) || matches(location));
          if (all.length === 0)
            return (
              <EmptyState text="The server has no data folders. The operator adds one with `weft serve --data NAME=DIR`." />
            );
          return shown.length === 0 ? (
            <NoMatch text={`No datasets match "${q}".`} filters={["q"]} />
          ) : (
            <DatasetTable datasets={shown} network={network} />
          );
        }}
      </QueryView>
      <SavedQueries network={network} />
    </div>
  );
}

function SavedQueries({ network }: { readonly network: string }) {
  const queries = useQuery(routeQuery("GET /api/dataset-queries"));
  return (
    <TitledSection title="Saved queries">
      <QueryView query={queries} rows={2}>
        {({ queries: all }) => {
          const own = all.filter((saved) => network === "" || saved.network === network);
          return (
            <DataTable
              caption="Saved queries"
              columns={SAVED_QUERY_COLUMNS}
              rows={own}
              keyOf={(saved) => saved.query_id}
              isLong={own.length > 50}
              empty={<p className="text-soft">No saved queries{network === "" ? "" : ` for ${network}`} yet.</p>}
            />
          );
        }}
      </QueryView>
    </TitledSection>
  );
}

/** Data folders, and the BIDS datasets in them. */
function DatasetTable({ datasets, network }: { readonly datasets: readonly Dataset[]; readonly network: string }) {
  const columns: readonly Column<Dataset>[] = [
    {
      label: "Dataset",
      bare: true,
      render: ({ location, name }) => <NameLink to={links.dataset({ location }, { network })}>{name}</NameLink>,
    },
    { label: "Kind", render: ({ kind }) => (kind === "bids" ? "BIDS" : "Folder") },
    { label: "Location", className: "code wrap-anywhere", render: ({ location }) => location },
  ];
  return (
    <DataTable
      caption="Datasets"
      columns={columns}
      rows={datasets}
      keyOf={({ location }) => location}
      isLong={datasets.length > 50}
    />
  );
}

function RowActions({ saved: { query_id: id, name, network } }: { readonly saved: SavedDatasetQuery }) {
  const mayRun = useRights().has("runner");
  const remove = useChange(["GET /api/dataset-queries"], () =>
    api("DELETE /api/dataset-queries/{query_id}", { params: { query_id: id } }),
  );
  if (!mayRun) return null;
  return (
    <span className="flex justify-end gap-1.5">
      <Link className="btn btn-small" to={links.network({ id: network }, { tab: "run", query: id })}>
        Use in form
      </Link>
      <DeleteButton small title={`Delete "${name}"?`} noun="query" remove={remove}>
        All users share it. Automations that use it will start no more runs.
      </DeleteButton>
    </span>
  );
}
