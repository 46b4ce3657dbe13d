import type { NetworkSummary } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { RunNetworkLink } from "../../components/run-network-link.tsx";

const SHOWN = 6;

/** The networks used last, or the first ones, each one click from its form. */
export function NetworkShortcuts({ networks }: { readonly networks: readonly NetworkSummary[] }) {
  return (
    <section aria-labelledby="networks-title" className="card p-4">
      <div className="mb-2 flex items-center justify-between">
        <h2 id="networks-title">Networks</h2>
        <Link className="link text-[0.8125rem]" to="/networks">
          All networks
        </Link>
      </div>
      <ul className="-mx-2">
        {latestFirst(networks)
          .slice(0, SHOWN)
          .map((network) => (
            <li key={network.id} className="flex items-center gap-2 rounded-lg px-2 py-1.5 hover:bg-sunken">
              <div className="min-w-0 flex-1">
                <Link className="link block truncate font-medium" to={`/network/${network.id}`}>
                  {network.id}
                </Link>
                <p className="truncate text-[0.8125rem] text-soft">{network.label ?? `${network.step_count} steps`}</p>
              </div>
              <RunNetworkLink id={network.id} />
            </li>
          ))}
      </ul>
    </section>
  );
}

function latestFirst(networks: readonly NetworkSummary[]): readonly NetworkSummary[] {
  return networks
    .filter((network) => network.validation_status !== "invalid")
    .sort((a, b) => (b.stats.last_run_at ?? "").localeCompare(a.stats.last_run_at ?? ""));
}
