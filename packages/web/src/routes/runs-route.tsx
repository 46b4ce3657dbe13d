import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { Link, useNavigate } from "react-router-dom";
import { networkListQuery } from "../api/catalog-queries.ts";
import { RunList } from "../components/run-list.tsx";
import { RunStateFilter } from "../components/run-list/run-state-filter.tsx";
import { comparisonPath, MAX_COMPARED_RUNS } from "../components/run-paths.ts";
import { runStateTab } from "../components/run-state-tabs.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const RunComparison = lazy(() => import("../features/compare/run-comparison.tsx"));

/** `/runs?state=&network=&q=&page=`, and `/runs?compare=a,b,c,d` for two to four side by side; `&add=1` chooses one more. */
export default function RunsRoute() {
  const [compare] = useSearchParam("compare");
  const [add] = useSearchParam("add");
  const ids = compare.split(",").filter((id) => id !== "");
  if (ids.length < 2 || (add !== "" && ids.length < MAX_COMPARED_RUNS)) return <AllRuns compared={ids} />;
  return (
    <>
      <PageHeading title="Compare runs" documentTitle="Compare - Runs" crumbs={[{ label: "Runs", to: "/runs" }]} />
      <RunComparison runIds={ids} />
    </>
  );
}

/** With `compared` another run is to be chosen. */
function AllRuns({ compared }: { readonly compared: readonly string[] }) {
  const navigate = useNavigate();
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
      {compared.length > 0 && <ChoiceHint compared={compared} />}
      <RunList
        key={[chosen.id, network, q].join(" ")}
        choice={
          compared.length === 0
            ? undefined
            : {
                label: "Compare",
                except: compared,
                choose: (id) => void navigate(comparisonPath([...compared, id])),
              }
        }
        filter={{ states: chosen.states, network: network || undefined, q: q || undefined }}
        caption="Runs, newest first"
        selectable={compared.length === 0}
      />
    </>
  );
}

function ChoiceHint({ compared }: { readonly compared: readonly string[] }) {
  const [, setCompare] = useSearchParam("compare");
  return (
    <p role="status" className="card mb-3 flex flex-wrap items-center gap-3 px-4 py-2.5">
      {compared.length === 1 ? "Choose the run to compare with." : "Choose one more run to compare."}
      {compared.length === 1 ? (
        <button type="button" className="btn btn-small" onClick={() => setCompare("")}>
          Stop comparing
        </button>
      ) : (
        <Link className="btn btn-small" to={comparisonPath(compared)}>
          Back to the comparison
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
      <select className="input max-w-full md:w-56" value={network} onChange={(event) => setNetwork(event.target.value)}>
        <option value="">All networks and tools</option>
        {[...ids].map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  );
}
