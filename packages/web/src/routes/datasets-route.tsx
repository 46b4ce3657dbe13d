import { useQuery } from "@tanstack/react-query";
import { datasetListQuery, savedQueriesQuery } from "../api/dataset-queries.ts";
import { DatasetTable } from "../features/datasets/dataset-table.tsx";
import { SavedQueryTable } from "../features/datasets/saved-query-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { NoMatch } from "../ui/no-match.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

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
        {(all) => {
          const shown = all.filter(({ name, location }) => matches(name) || matches(location));
          if (all.length === 0)
            return (
              <EmptyState text="The server has no data folders. The operator adds one with `weft serve --data NAME=DIR`." />
            );
          return shown.length === 0 ? (
            <NoMatch text={`No datasets match “${q}”.`} filters={["q"]} />
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
  const queries = useQuery(savedQueriesQuery());
  return (
    <TitledSection title="Saved queries">
      <QueryView query={queries} rows={2}>
        {(all) => {
          const own = all.filter((saved) => network === "" || saved.network === network);
          if (own.length === 0)
            return <p className="text-soft">No saved queries{network === "" ? "" : ` for ${network}`} yet.</p>;
          return <SavedQueryTable queries={own} />;
        }}
      </QueryView>
    </TitledSection>
  );
}
