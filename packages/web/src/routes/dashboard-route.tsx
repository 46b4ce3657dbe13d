import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { networkListQuery } from "../api/catalog-queries.ts";
import { runListQuery, type RunPage } from "../api/run-queries.ts";
import { serverQuery } from "../api/server-query.ts";
import { RunTable } from "../components/run-table.tsx";
import { CounterCards } from "../features/dashboard/counter-cards.tsx";
import { FirstUseCard } from "../features/dashboard/first-use-card.tsx";
import { NetworkShortcuts } from "../features/dashboard/network-shortcuts.tsx";
import { RunningNow } from "../features/dashboard/running-now.tsx";
import { SystemStrip } from "../features/dashboard/system-strip.tsx";
import { OPEN_STATES } from "../format/state-look.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** `/`: current and recent activity on this server. All parts appear together, so that none moves another. */
export function DashboardRoute() {
  const server = useQuery(serverQuery());
  const networks = useQuery(networkListQuery(""));
  const open = useQuery(runListQuery({ states: OPEN_STATES, pageSize: 20 }));
  const last = useQuery(runListQuery({ pageSize: 10 }));
  const isRead = [server, networks, open, last].every(({ isPending }) => !isPending);
  return (
    <>
      <PageHeading title="Dashboard" documentTitle="Dashboard" />
      {isRead ? (
        <div className="space-y-5">
          <QueryView query={server}>{(data) => <CounterCards server={data} />}</QueryView>
          <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
            <RunPanels open={open} last={last} />
            <aside aria-label="Networks and machine" className="grid gap-5 md:grid-cols-2 xl:grid-cols-1">
              <QueryView query={networks}>{(data) => <NetworkShortcuts networks={data.networks} />}</QueryView>
              {server.data !== undefined && <SystemStrip server={server.data} />}
            </aside>
          </div>
        </div>
      ) : (
        <Skeleton rows={16} />
      )}
    </>
  );
}

interface RunPanelsProps {
  readonly open: UseQueryResult<RunPage>;
  readonly last: UseQueryResult<RunPage>;
}

function RunPanels({ open, last }: RunPanelsProps) {
  if (last.data?.runs.length === 0) return <FirstUseCard />;
  return (
    <div className="min-w-0 space-y-5">
      <QueryView query={open}>{(data) => <RunningNow runs={data.runs} />}</QueryView>
      <section aria-labelledby="last-title">
        <div className="mb-2 flex items-center justify-between">
          <h2 id="last-title">Recent runs</h2>
          <Link className="link text-[0.8125rem]" to="/runs">
            All runs
          </Link>
        </div>
        <QueryView query={last}>{(data) => <RunTable runs={data.runs} caption="10 most recent runs" />}</QueryView>
      </section>
    </div>
  );
}
