import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { Dataset, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { Link } from "react-router-dom";
import { api } from "../api/client.ts";
import { datasetListQuery } from "../api/dataset-queries.ts";
import { invalidateRoutes, routeQuery } from "../api/route-query.ts";
import { useRights } from "../api/session-query.ts";
import { datasetPath, savedQueryFormPath } from "../components/dataset-paths.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState, NoMatch } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { showError } from "../ui/toast.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const COLUMNS: readonly Column[] = [{ label: "Dataset" }, { label: "Kind" }, { label: "Location" }];

const SAVED_QUERY_COLUMNS: readonly Column[] = [
  { label: "Query" },
  { label: "Network" },
  { label: "Dataset" },
  { label: "Conditions" },
  { label: "Changed" },
  { label: "Actions", hidden: true },
];

/** `/datasets?q=&network=` */
export default function DatasetsRoute() {
  const [q] = useSearchParam("q");
  const [network] = useSearchParam("network");
  const datasets = useQuery(datasetListQuery());
  const matches = (text: string): boolean => text.toLowerCase().includes(q.toLowerCase());
  return (
    <div className="space-y-6">
      <PageHeading title="Datasets" documentTitle="Datasets" />
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
          if (own.length === 0)
            return <p className="text-soft">No saved queries{network === "" ? "" : ` for ${network}`} yet.</p>;
          return <SavedQueryTable queries={own} />;
        }}
      </QueryView>
    </TitledSection>
  );
}

/** Data folders, and the BIDS datasets in them. */
function DatasetTable({ datasets, network }: { readonly datasets: readonly Dataset[]; readonly network: string }) {
  return (
    <DataTable caption="Datasets" columns={COLUMNS} isLong={datasets.length > 50}>
      {datasets.map(({ location, name, kind }) => (
        <tr key={location}>
          <td>
            <Link className="link font-medium" to={datasetPath({ location }, network)}>
              {name}
            </Link>
          </td>
          <td data-label="Kind">{kind === "bids" ? "BIDS" : "Folder"}</td>
          <td data-label="Location" className="code wrap-anywhere">
            {location}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function SavedQueryTable({ queries }: { readonly queries: readonly SavedDatasetQuery[] }) {
  return (
    <DataTable caption="Saved queries" columns={SAVED_QUERY_COLUMNS} isLong={queries.length > 50}>
      {queries.map((saved) => (
        <SavedQueryRow key={saved.query_id} saved={saved} />
      ))}
    </DataTable>
  );
}

function SavedQueryRow({ saved }: { readonly saved: SavedDatasetQuery }) {
  const { query_id: id, name, network, query } = saved;
  const mayRun = useRights().has("runner");
  return (
    <tr>
      <td>
        <Link className="link font-medium" to={`${datasetPath(query, network)}&query=${id}`}>
          {name}
        </Link>
      </td>
      <td data-label="Network">
        <Link className="link" to={`/network/${network}`}>
          {network}
        </Link>
      </td>
      <td data-label="Dataset" className="code wrap-anywhere">
        {query.location}
      </td>
      <td data-label="Conditions" className="wrap-anywhere">
        {writeConditions(query.where ?? []) || "all files"}
      </td>
      <td data-label="Changed">
        <TimeAgo time={saved.updated_at} /> <span className="text-soft">by {saved.updated_by}</span>
      </td>
      <td className="text-right">{mayRun && <RowActions saved={saved} />}</td>
    </tr>
  );
}

function RowActions({ saved: { query_id: id, name, network } }: { readonly saved: SavedDatasetQuery }) {
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api("DELETE /api/dataset-queries/{query_id}", { params: { query_id: id } }),
    onSuccess: () => invalidateRoutes(cache, "GET /api/dataset-queries"),
    onError: (error) => showError(`${name} was not deleted: ${error.message}`),
  });
  return (
    <span className="flex justify-end gap-1.5">
      <Link className="btn btn-small" to={savedQueryFormPath(network, id)}>
        Use in form
      </Link>
      <Button look="quiet" small onClick={() => remove.mutate()}>
        Delete<span className="sr-only"> query {name}</span>
      </Button>
    </span>
  );
}
