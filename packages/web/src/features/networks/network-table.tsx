import type { NetworkSummary } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { RunNetworkLink } from "../../components/run-network-link.tsx";
import { ValidityBadge } from "../../components/validity-badge.tsx";
import { countText } from "../../format/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { TimeAgo } from "../../ui/time-text.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";

const COLUMNS: readonly Column[] = [
  { label: "Network" },
  { label: "Version" },
  { label: "Document" },
  { label: "Steps", number: true },
  { label: "Required inputs", number: true },
  { label: "Last run" },
  { label: "Typical duration", number: true },
  { label: "Actions", hidden: true },
];

export function NetworkTable({ networks }: { readonly networks: readonly NetworkSummary[] }) {
  return (
    <DataTable caption="Networks of the catalog" columns={COLUMNS}>
      {networks.map((network) => (
        <NetworkRow key={network.id} network={network} />
      ))}
    </DataTable>
  );
}

function NetworkRow({ network }: { readonly network: NetworkSummary }) {
  const { median_duration_ms: usualMs } = network.stats;
  return (
    <tr>
      <td>
        <div className="max-w-120">
          <Link className="link font-medium" to={`/network/${network.id}`}>
            {network.id}
          </Link>
          <p className="text-[0.8125rem] text-soft">{network.label ?? firstSentence(network.doc)}</p>
        </div>
      </td>
      <td data-label="Version">{network.version ?? <span className="text-soft">–</span>}</td>
      <td data-label="Document">
        <ValidityBadge status={network.validation_status} />
      </td>
      <td data-label="Steps" className="number">
        {network.step_count}
      </td>
      <td data-label="Required inputs" className="number">
        {network.required_inputs}
      </td>
      <td data-label="Last run">
        <LastRun network={network} />
      </td>
      <td data-label="Typical duration" className="number">
        {usualMs === null ? <span className="text-soft">–</span> : formatDuration(usualMs)}
      </td>
      <td className="text-right">{network.validation_status !== "invalid" && <RunNetworkLink id={network.id} />}</td>
    </tr>
  );
}

function LastRun({ network: { id, stats } }: { readonly network: NetworkSummary }) {
  if (stats.last_run_at === null) return <span className="text-soft">never</span>;
  return (
    <Link className="link" to={`/network/${id}?tab=runs`}>
      <TimeAgo time={stats.last_run_at} /> · {countText(stats.runs, "run")}
    </Link>
  );
}

function firstSentence(doc: string | undefined): string {
  return doc?.split(/(?<=\.)\s|\n/)[0] ?? "";
}
