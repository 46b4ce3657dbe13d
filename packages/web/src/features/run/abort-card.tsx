import type { Abort, Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { useRights } from "../../api/session-query.ts";
import { countText } from "../../format/count-text.ts";
import { formatClockTime, formatDateTime } from "../../format/format-time.ts";
import { abortedJobsText, endedText, provenText } from "../../format/job-text.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

/** The user who aborted a run, the stopped jobs and processes, and the evidence that none remain. */
export function AbortCard({ run }: { readonly run: Run }) {
  const { session } = useRights();
  const { abort } = run;
  if (abort === null) return null;
  const isProven = abort.confirmed_at !== null;
  return (
    <TitledSection title={isProven ? "Aborted" : "Aborting"} card>
      <p className="max-w-[90ch]">
        {isProven ? "Aborted" : "Abort requested"} by{" "}
        {abort.requested_by === session?.principal ? "you" : abort.requested_by}, {formatDateTime(abort.requested_at)}.{" "}
        {isProven ? <Proof abort={abort} /> : <Outstanding abort={abort} />}
      </p>
      {abort.jobs.length > 0 && <JobReports abort={abort} />}
    </TitledSection>
  );
}

function Proof({ abort }: { readonly abort: Abort }) {
  return (
    <>
      {abortedJobsText(abort)}. {endedText(abort)}; {provenText(abort)}.
    </>
  );
}

function Outstanding({ abort }: { readonly abort: Abort }) {
  const count = abort.outstanding_jobs.length;
  const jobs = count === 0 ? "All jobs have stopped" : `Stopping ${countText(count, "job")}`;
  return <>{jobs}; not yet verified that all processes have stopped.</>;
}

const COLUMNS: readonly Column<Abort["jobs"][number]>[] = [
  {
    label: "Job",
    bare: true,
    cell: ({ job_id: id }) => (
      <Link className="link" to={`?tab=jobs&job=${id}`}>
        {id}
      </Link>
    ),
  },
  { label: "Requested", cell: (job) => formatClockTime(job.asked_at) },
  { label: "Signals", cell: ({ signals }) => signals.join(", ") || "none" },
  { label: "Processes", number: true, cell: (job) => job.processes_found },
  { label: "Killed", number: true, cell: (job) => job.processes_killed },
  { label: "Verified", cell: ({ confirmed_at: at }) => (at === null ? "not yet" : formatClockTime(at)) },
];

function JobReports({ abort }: { readonly abort: Abort }) {
  const more = abort.jobs_ended - abort.jobs.length;
  return (
    <details className="mt-3">
      <summary className="cursor-pointer font-medium">Details per job</summary>
      <div className="mt-2 max-h-96 overflow-auto" tabIndex={0} role="region" aria-label="Details per job">
        <DataTable caption="Details per job" columns={COLUMNS} rows={abort.jobs} keyOf={(job) => job.job_id} />
      </div>
      {more > 0 && <p className="mt-2 text-soft">And {more} more. Open a job to see its report.</p>}
    </details>
  );
}
