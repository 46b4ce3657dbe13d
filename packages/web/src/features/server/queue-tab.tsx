import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Queue, QueuedRun } from "@weft/shared/records/operations-record.ts";
import { Link } from "react-router-dom";
import { routeQuery } from "../../api/route-query.ts";
import { countText } from "../../format/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { sentence } from "../../format/sentence.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

const COLUMNS: readonly Column<QueuedRun>[] = [
  {
    label: "Run",
    bare: true,
    cell: (run) => (
      <>
        <Link className="link font-medium wrap-anywhere" to={`/run/${run.run_id}?tab=jobs&state=QUEUED`}>
          {run.name}
        </Link>
        {run.paused && <span className="ml-2 text-soft">paused</span>}
      </>
    ),
  },
  { label: "Owner", cell: ({ owner }) => owner },
  { label: "Priority", number: true, cell: ({ priority }) => priority },
  { label: "Running", number: true, cell: (run) => run.jobs_running },
  { label: "Resources in use", className: "whitespace-nowrap", cell: resourcesText },
  { label: "Waiting", number: true, cell: (run) => run.jobs_waiting },
  {
    label: "Waiting since",
    className: "whitespace-nowrap",
    cell: ({ waiting_since: since }) => (since === null ? "–" : <TimeAgo time={since} />),
  },
  { label: "Reason", className: "md:w-2/5", cell: (run) => <Reasons run={run} /> },
];

/** The waiting jobs with reasons and times, by run; the next run to be served is on top. */
export function QueueTab() {
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
        columns={COLUMNS}
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
          <Link className="link" to={`/run/${runId}?tab=jobs&job=${jobId}`}>
            {countText(jobs, "job")}
          </Link>
          : {sentence(message)}
        </li>
      ))}
    </ul>
  );
}
