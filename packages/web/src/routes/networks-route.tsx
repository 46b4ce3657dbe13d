import { useQuery } from "@tanstack/react-query";
import { networkListQuery } from "../api/catalog-queries.ts";
import { NewLinks } from "../components/edit-link.tsx";
import { NetworkTable } from "../features/networks/network-table.tsx";
import { NETWORK_SORTS, sortNetworks } from "../features/networks/sort-networks.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { NoMatch } from "../ui/no-match.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

/** `/networks?q=&sort=` */
export default function NetworksRoute() {
  const [q] = useSearchParam("q");
  const [wanted, setSort] = useSearchParam("sort");
  const sort = NETWORK_SORTS.find(({ id }) => id === wanted)?.id ?? "";
  const networks = useQuery(networkListQuery(q));
  return (
    <>
      <PageHeading
        title="Networks"
        documentTitle="Networks"
        actions={<NewLinks to="/networks/new" label="New network" />}
      />
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <SearchBox label="ID, title or description" />
        <label className="flex items-center gap-2 max-md:w-full">
          <span className="text-soft">Sort by</span>
          <select className="input w-auto" value={sort} onChange={(event) => setSort(event.target.value)}>
            {NETWORK_SORTS.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <QueryView query={networks}>
        {(data) =>
          data.networks.length === 0 ? (
            <NoNetworks q={q} />
          ) : (
            <NetworkTable networks={sortNetworks(data.networks, sort)} />
          )
        }
      </QueryView>
    </>
  );
}

function NoNetworks({ q }: { readonly q: string }) {
  if (q === "") return <EmptyState text="The catalog has no networks." />;
  return <NoMatch text={`No networks match “${q}”.`} filters={["q"]} />;
}
