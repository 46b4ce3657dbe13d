import { AuditTab } from "../features/server/audit-tab.tsx";
import { DocumentsTab } from "../features/server/documents-tab.tsx";
import { DiskTab } from "../features/server/disk-tab.tsx";
import { LoadTab } from "../features/server/load-tab.tsx";
import { MachineTab } from "../features/server/machine-tab.tsx";
import { RoleGate } from "../components/role-gate.tsx";
import { links } from "../format/links.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { TabBar } from "../ui/tab-bar.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { BackendList, Queue, QueuedRun } from "@weft/shared/records/operations-record.ts";
import type { ReactNode } from "react";
import { routeQuery } from "../api/route-query.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Link } from "react-router-dom";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatBytes } from "../format/format-bytes.ts";
import { sentence } from "../format/sentence.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Pager } from "../ui/pager.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

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
        <Link className="link font-medium wrap-anywhere" to={links.run(run.run_id, { tab: "jobs", state: "QUEUED" })}>
          {run.name}
        </Link>
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
          <Link className="link" to={links.run(runId, { tab: "jobs", job: jobId })}>
            {countText(jobs, "job")}
          </Link>
          : {sentence(message)}
        </li>
      ))}
    </ul>
  );
}
