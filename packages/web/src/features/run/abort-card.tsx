import type { Abort, Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { formatClockTime, formatDateTime } from "../../format/format-time.ts";
import { abortedJobsText, endedText, provenText } from "../../format/kill-text.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

/** Who aborted a run, what that ended, and how it is known that nothing of it is left. */
export function AbortCard({ run }: { readonly run: Run }) {
  const { abort } = run;
  if (abort === null) return null;
  const isProven = abort.confirmed_at !== null;
  return (
    <TitledSection title={isProven ? "Aborted" : "Being aborted"} card>
      <p className="max-w-[90ch]">
        Asked for by {abort.requested_by} at {formatDateTime(abort.requested_at)}.{" "}
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
  const jobs =
    count === 0 ? "No job runs any more" : count === 1 ? "One job is being ended" : `${count} jobs are being ended`;
  return <>{jobs}; it is not proven yet that no process is left.</>;
}

const COLUMNS: readonly Column[] = [
  { label: "Job" },
  { label: "Asked" },
  { label: "Signals" },
  { label: "Processes", number: true },
  { label: "By force", number: true },
  { label: "Nothing left since" },
];

function JobReports({ abort }: { readonly abort: Abort }) {
  const more = abort.jobs_ended - abort.jobs.length;
  return (
    <details className="mt-3">
      <summary className="cursor-pointer font-medium">How each job was ended</summary>
      <div className="mt-2 max-h-96 overflow-auto" tabIndex={0} role="region" aria-label="How each job was ended">
        <DataTable caption="How each job was ended" columns={COLUMNS}>
          {abort.jobs.map((job) => (
            <tr key={job.job_id}>
              <td>
                <Link className="link" to={`?tab=jobs&job=${job.job_id}`}>
                  {job.job_id}
                </Link>
              </td>
              <td data-label="Asked">{formatClockTime(job.asked_at)}</td>
              <td data-label="Signals">{job.signals.join(", ") || "none"}</td>
              <td data-label="Processes" className="number">
                {job.processes_found}
              </td>
              <td data-label="By force" className="number">
                {job.processes_killed}
              </td>
              <td data-label="Nothing left since">
                {job.confirmed_at === null ? "not proven" : formatClockTime(job.confirmed_at)}
              </td>
            </tr>
          ))}
        </DataTable>
      </div>
      {more > 0 && <p className="mt-2 text-soft">And {more} more; each job's own page has its report.</p>}
    </details>
  );
}
