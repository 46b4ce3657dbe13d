import { useQuery } from "@tanstack/react-query";
import { networkListQuery } from "../api/catalog-queries.ts";
import { NetworkTable } from "../features/networks/network-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

/** `/networks?q=` */
export default function NetworksRoute() {
  const [q] = useSearchParam("q");
  const networks = useQuery(networkListQuery(q));
  return (
    <>
      <PageHeading title="Networks" documentTitle="Networks" />
      <div className="mb-3">
        <SearchBox label="Id, title or description" />
      </div>
      <QueryView query={networks}>
        {(data) =>
          data.networks.length === 0 ? (
            <EmptyState
              text={
                q === "" ? "The catalog holds no network." : `No network has “${q}” in its id, title or description.`
              }
            />
          ) : (
            <NetworkTable networks={data.networks} />
          )
        }
      </QueryView>
    </>
  );
}
