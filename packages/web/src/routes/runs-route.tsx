import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { networkListQuery } from "../api/catalog-queries.ts";
import { RunList } from "../components/run-list.tsx";
import { RunStateFilter } from "../components/run-list/run-state-filter.tsx";
import { runStateTab } from "../components/run-state-tabs.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const RunComparison = lazy(() => import("../features/compare/run-comparison.tsx"));

/** `/runs?state=&network=&q=&page=`, and `/runs?compare=a,b` for two of them side by side. */
export default function RunsRoute() {
  const [compare] = useSearchParam("compare");
  const [first = "", second = ""] = compare.split(",");
  if (first === "" || second === "") return <AllRuns comparedTo={first} />;
  return (
    <>
      <PageHeading title="Compare runs" documentTitle="Compare - Runs" crumbs={[{ label: "Runs", to: "/runs" }]} />
      <RunComparison first={first} second={second} />
    </>
  );
}

/** With `comparedTo` a second run is to be chosen. */
function AllRuns({ comparedTo }: { readonly comparedTo: string }) {
  const [, setCompare] = useSearchParam("compare");
  const [state, setState] = useSearchParam("state");
  const [network] = useSearchParam("network");
  const [q] = useSearchParam("q");
  const chosen = runStateTab(state);
  return (
    <>
      <PageHeading title="Runs" documentTitle="Runs" />
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <RunStateFilter chosen={chosen} onChoose={setState} counted={network === "" && q === ""} />
        <NetworkFilter />
        <div className="w-full md:ml-auto md:w-72">
          <SearchBox label="Name, id, network or tool" />
        </div>
      </div>
      {comparedTo !== "" && (
        <p role="status" className="card mb-3 flex flex-wrap items-center gap-3 px-4 py-2.5">
          Choose the run to compare with.
          <button type="button" className="btn btn-small" onClick={() => setCompare("")}>
            Stop comparing
          </button>
        </p>
      )}
      <RunList
        key={[chosen.id, network, q].join(" ")}
        choice={
          comparedTo === ""
            ? undefined
            : { label: "Compare", except: comparedTo, choose: (id) => setCompare(`${comparedTo},${id}`) }
        }
        filter={{ states: chosen.states, network: network || undefined, q: q || undefined }}
        caption="Runs, newest first"
        selectable={comparedTo === ""}
      />
    </>
  );
}

function NetworkFilter() {
  const [network, setNetwork] = useSearchParam("network");
  const { data } = useQuery(networkListQuery(""));
  const ids = new Set([...(data?.networks.map(({ id }) => id) ?? []), ...(network === "" ? [] : [network])]);
  return (
    <label className="max-md:w-full">
      <span className="sr-only">Network</span>
      <select className="input max-w-full md:w-56" value={network} onChange={(event) => setNetwork(event.target.value)}>
        <option value="">All networks and tools</option>
        {[...ids].map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  );
}
