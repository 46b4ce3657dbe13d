import { useQuery } from "@tanstack/react-query";
import type { MachineCheck, MachineReport } from "@weft/shared/records/machine-record.ts";
import { routeQuery } from "../../api/route-query.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";

const COLUMNS: readonly Column[] = [{ label: "Check" }, { label: "State" }, { label: "Result" }];

const STATES: Readonly<
  Record<MachineCheck["state"], { readonly label: string; readonly icon: IconName; readonly color: string }>
> = {
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
            <DataTable caption="What this machine provides" columns={COLUMNS}>
              {report.checks.map((check) => (
                <CheckRow key={check.id} check={check} />
              ))}
            </DataTable>
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

function CheckRow({ check: { title, state, detail, fix } }: { readonly check: MachineCheck }) {
  const { label, icon, color } = STATES[state];
  return (
    <tr>
      <td className="font-medium whitespace-nowrap">{title}</td>
      <td data-label="State" className={`whitespace-nowrap ${color}`}>
        <span className="inline-flex items-center gap-1.5">
          <Icon name={icon} />
          {label}
        </span>
      </td>
      <td data-label="Result" className="wrap-anywhere">
        <div>
          {detail}
          {fix !== null && (
            <p className="mt-1 flex flex-wrap items-center gap-2">
              <code className="code rounded bg-sunken px-1.5 py-0.5 wrap-anywhere">{fix}</code>
              <CopyButton text={fix} name={`command for ${title}`} />
            </p>
          )}
        </div>
      </td>
    </tr>
  );
}
