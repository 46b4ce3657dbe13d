import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import { type ReactNode } from "react";
import { Link } from "react-router-dom";
import { FreeSpaceButton } from "../../components/free-space/free-space-button.tsx";
import { formatBytes } from "../../format/format-bytes.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

const StorageNotice = onDemand(() => import("./storage-notice.tsx"));

/** Current use of the machine: cores and memory count as used once they are reserved for running jobs. */
export function SystemStrip({ server }: { readonly server: ServerInfo }) {
  return (
    <TitledSection
      card
      title="This machine"
      aside={
        <div className="flex items-center gap-3">
          <Link className="link text-small" to="/server">
            Details
          </Link>
          <FreeSpaceButton />
        </div>
      }
    >
      {server.storage !== "ok" && <StorageNotice storage={server.storage} />}
      <dl className="space-y-3">
        <Gauge
          label="Cores"
          used={server.cores_busy}
          total={server.cores}
          text={(value) => String(Math.round(value * 10) / 10)}
        />
        <Gauge label="Memory" used={server.ram_busy_bytes} total={server.ram_bytes} text={formatBytes} />
        <Line label="Jobs running">{server.jobs_running}</Line>
        <Line label="Jobs waiting">{server.jobs_waiting}</Line>
        <Line label="Disk used by finished runs">{formatBytes(runsBytes(server))}</Line>
        <Line label="Free disk space">{formatBytes(server.disk_free_bytes)}</Line>
        <Line label="Version">{server.version}</Line>
      </dl>
    </TitledSection>
  );
}

function runsBytes({ runs_storage_bytes: { outputs, intermediate, logs } }: ServerInfo): number {
  return outputs + intermediate + logs;
}

interface GaugeProps {
  readonly label: string;
  readonly used: number;
  readonly total: number;
  readonly text: (value: number) => string;
}

function Gauge({ label, used, total, text }: GaugeProps) {
  const percent = total === 0 ? 0 : Math.min(100, (used / total) * 100);
  return (
    <div>
      <dt className="flex justify-between gap-2 text-soft">
        {label}
        <span className="text-ink tabular-nums">
          {text(used)} of {text(total)}
        </span>
      </dt>
      <dd className="mt-1 h-1.5 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-300"
          style={{ width: `${percent}%` }}
        />
      </dd>
    </div>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-2">
      <dt className="text-soft">{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
