import { useQuery } from "@tanstack/react-query";
import type { MachineCheck, MachineReport } from "@weft/shared/records/machine-record.ts";
import { routeQuery } from "../../api/route-query.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";

const COLUMNS: readonly Column<MachineCheck>[] = [
  { label: "Check", bare: true, className: "font-medium whitespace-nowrap", render: ({ title }) => title },
  { label: "State", className: "whitespace-nowrap", render: ({ state }) => <State {...STATES[state]} /> },
  { label: "Result", className: "wrap-anywhere", render: (check) => <Result check={check} /> },
];

interface StateProps {
  readonly label: string;
  readonly icon: IconName;
  readonly color: string;
}

const STATES: Readonly<Record<MachineCheck["state"], StateProps>> = {
  ok: { label: "OK", icon: "check", color: "text-success" },
  warning: { label: "Warning", icon: "warning", color: "text-canceled" },
  failed: { label: "Failed", icon: "error", color: "text-failed" },
};

/** The programs that the server's machine has and lacks, with commands that help. Only admins can read it. */
export function MachineTab() {
  // Repeated only on demand, because it starts containers.
  const machine = useQuery({ ...routeQuery("GET /api/server/checks"), staleTime: Number.POSITIVE_INFINITY });
  return (
    <>
      {machine.isFetching && (
        <p role="status" className="mb-3 text-soft">
          Checking this machine. This can take a minute…
        </p>
      )}
      <QueryView query={machine} rows={15}>
        {(report) => (
          <>
            {!machine.isFetching && <Heading report={report} onRepeat={() => void machine.refetch()} />}
            <DataTable
              caption="What this machine provides"
              columns={COLUMNS}
              rows={report.checks}
              keyOf={({ id }) => id}
            />
          </>
        )}
      </QueryView>
    </>
  );
}

function Heading({ report, onRepeat }: { readonly report: MachineReport; readonly onRepeat: () => void }) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <p className="text-soft">
        Weft {report.version} on {report.platform}, checked <TimeAgo time={report.time} />. The command{" "}
        <code className="code">weft doctor</code> prints the same.
      </p>
      <Button small onClick={onRepeat}>
        Check again
      </Button>
    </div>
  );
}

function State({ label, icon, color }: StateProps) {
  return (
    <span className={`inline-flex items-center gap-1.5 ${color}`}>
      <Icon name={icon} />
      {label}
    </span>
  );
}

function Result({ check: { title, detail, fix } }: { readonly check: MachineCheck }) {
  return (
    <div>
      {detail}
      {fix !== null && (
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <code className="code rounded bg-sunken px-1.5 py-0.5 wrap-anywhere">{fix}</code>
          <CopyButton text={fix} name={`command for ${title}`} />
        </p>
      )}
    </div>
  );
}
