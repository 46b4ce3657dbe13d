import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { runListQuery } from "../../api/run-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";

/** Starting points before the user searches. */
export function RecentRuns() {
  const runs = useQuery(runListQuery({ states: ["COMPLETE"], pageSize: 8 }));
  return (
    <section aria-labelledby="recent-title">
      <h2 id="recent-title" className="mb-2">
        Or start from a run
      </h2>
      <QueryView query={runs}>
        {(data) =>
          data.runs.length === 0 ? (
            <EmptyState text="No successful runs yet." />
          ) : (
            <ul className="card divide-y divide-line">
              {data.runs.map((run) => (
                <li key={run.run_id} className="flex flex-wrap items-center gap-3 px-4 py-2">
                  <StateBadge state={run.state} />
                  <Link className="link font-medium" to={`/prov?run=${run.run_id}`}>
                    {run.name}
                  </Link>
                  <span className="text-soft">{run.network?.id ?? run.tool?.id}</span>
                  <span className="ml-auto text-soft">
                    <TimeAgo time={run.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}
