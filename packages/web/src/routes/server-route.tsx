import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { MachineCheck, MachineReport } from "@weft/shared/records/machine-record.ts";
import type { BackendList, Queue, QueuedRun } from "@weft/shared/records/operations-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import type { ReactNode } from "react";
import { routeQuery } from "../api/route-query.ts";
import { RoleGate } from "../components/role-gate.tsx";
import { AuditTab } from "../features/server/audit-tab.tsx";
import { DiskTab } from "../features/server/disk-tab.tsx";
import { DocumentsTab } from "../features/server/documents-tab.tsx";
import { LoadTab } from "../features/server/load-tab.tsx";
import { formatBytes } from "../format/format-bytes.ts";
import { links } from "../format/links.ts";
import { sentence } from "../format/sentence.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { TabBar } from "../ui/tab-bar.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { NameLink, TextLink } from "../ui/text-link.tsx";

/** `/server?tab=&page=&hours=&process=&document=&principal=&action=&refused=&since=`: for administrators. */
export default function ServerRoute() {
  return (
    <>
      <PageHeading title="Server" />
      <TabBar
        label="About this server"
        tabs={[
          { id: "queue", label: "Queue", content: <QueueTab /> },
          { id: "load", label: "Load", content: <LoadTab /> },
          { id: "disk", label: "Disk", content: <DiskTab /> },
          { id: "workers", label: "Workers", content: <WorkersTab /> },
          { id: "documents", label: "WES documents", content: <DocumentsTab /> },
          { id: "machine", label: "This machine", content: forAdmins("Checking this machine", <MachineTab />) },
          { id: "audit", label: "Audit log", content: forAdmins("Reading the audit log", <AuditTab />) },
        ]}
      />
    </>
  );
}

function forAdmins(what: string, content: ReactNode) {
  return (
    <RoleGate needs="admin" what={what}>
      {content}
    </RoleGate>
  );
}

type Backend = BackendList["backends"][number];

const BACKEND_COLUMNS: readonly Column<Backend>[] = [
  { label: "Backend", bare: true, className: "font-medium", render: ({ kind }) => NAMES[kind] },
  { label: "State", render: stateOf },
  { label: "Running", number: true, render: (backend) => backend.jobs_running },
  { label: "Starting", number: true, render: (backend) => backend.jobs_starting },
  { label: "Slots", number: true, render: ({ places }) => places },
];

const NAMES: Readonly<Record<Backend["kind"], string>> = {
  local: "This machine",
  slurm: "Slurm",
  tes: "TES server",
};

/** The backends on which jobs run. */
function WorkersTab() {
  const backends = useQuery({ ...routeQuery("GET /api/server/backends"), refetchInterval: 5000 });
  return (
    <QueryView query={backends} rows={3}>
      {(data) => (
        <>
          <DataTable caption="Backends" columns={BACKEND_COLUMNS} rows={data.backends} keyOf={({ kind }) => kind} />
          {data.backends.length > 2 && <p className="mt-2 text-soft">Slurm and TES share their slots.</p>}
        </>
      )}
    </QueryView>
  );
}

function stateOf({ is_default, gets_jobs }: Backend): string {
  if (is_default) return "default";
  return gets_jobs ? "used by routing rules" : "accepts no new jobs";
}

const QUEUE_COLUMNS: readonly Column<QueuedRun>[] = [
  {
    label: "Run",
    bare: true,
    render: (run) => (
      <>
        <NameLink to={links.run(run.run_id, { tab: "jobs", state: "QUEUED" })}>{run.name}</NameLink>
        {run.paused && <span className="ml-2 text-soft">paused</span>}
      </>
    ),
  },
  { label: "Owner", render: ({ owner }) => owner },
  { label: "Priority", number: true, render: ({ priority }) => priority },
  { label: "Running", number: true, render: (run) => run.jobs_running },
  { label: "Resources in use", className: "whitespace-nowrap", render: resourcesText },
  { label: "Waiting", number: true, render: (run) => run.jobs_waiting },
  {
    label: "Waiting since",
    className: "whitespace-nowrap",
    render: ({ waiting_since: since }) => (since === null ? "–" : <TimeAgo time={since} />),
  },
  { label: "Reason", className: "md:w-2/5", render: (run) => <Reasons run={run} /> },
];

/** The waiting jobs with reasons and times, by run; the next run to be served is on top. */
function QueueTab() {
  const [page] = useSearchParam("page");
  const queue = useQuery({
    ...routeQuery("GET /api/server/queue", { query: { page_size: 50, page_token: page } }),
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  });
  return <QueryView query={queue}>{(data) => <QueueView queue={data} />}</QueryView>;
}

function QueueView({ queue }: { readonly queue: Queue }) {
  const { runs, total, next_page_token, jobs_hidden } = queue;
  const hidden = jobs_hidden > 0 && (
    <p className="mt-2 text-soft">{countText(jobs_hidden, "job")} of other users also waiting.</p>
  );
  if (runs.length === 0)
    return (
      <>
        <EmptyState text="No running or waiting jobs." />
        {hidden}
      </>
    );
  return (
    <>
      <DataTable
        caption="Runs with waiting or running jobs"
        columns={QUEUE_COLUMNS}
        rows={runs}
        keyOf={(run) => run.run_id}
      />
      {hidden}
      <Pager nextPageToken={next_page_token} shown={runs.length} total={total} noun="run" />
    </>
  );
}

function resourcesText({ jobs_running: running, cores_held: cores, ram_held_bytes: ram }: QueuedRun): string {
  return running === 0 ? "–" : `${countText(Math.round(cores * 10) / 10, "core")}, ${formatBytes(ram)}`;
}

function Reasons({ run: { run_id: runId, reasons } }: { readonly run: QueuedRun }) {
  if (reasons.length === 0) return "–";
  return (
    <ul>
      {reasons.map(({ job_id: jobId, jobs, message }) => (
        <li key={jobId} className="wrap-anywhere">
          <TextLink to={links.run(runId, { tab: "jobs", job: jobId })}>{countText(jobs, "job")}</TextLink>:{" "}
          {sentence(message)}
        </li>
      ))}
    </ul>
  );
}

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
function MachineTab() {
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
