import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { JobBadge } from "../../components/job-badge.tsx";
import { formatDuration } from "../../format/format-duration.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { DurationText } from "../../ui/time-text.tsx";

const COLUMNS: readonly Column[] = [
  { label: "State" },
  { label: "Job" },
  { label: "Step" },
  { label: "Sample" },
  { label: "Attempt", number: true },
  { label: "Waited", number: true },
  { label: "Ran", number: true },
  { label: "Exit code", number: true },
];

export interface JobTableProps {
  readonly jobs: readonly JobSummary[];
  readonly chosen: string;
  readonly onOpen: (jobId: string) => void;
}

/** Jobs, each opening beside the table. */
export function JobTable({ jobs, chosen, onOpen }: JobTableProps) {
  return (
    <DataTable caption="Jobs of the run" columns={COLUMNS}>
      {jobs.map((job) => (
        <JobRow key={job.job_id} job={job} chosen={job.job_id === chosen} onOpen={() => onOpen(job.job_id)} />
      ))}
    </DataTable>
  );
}

interface JobRowProps {
  readonly job: JobSummary;
  readonly chosen: boolean;
  readonly onOpen: () => void;
}

function JobRow({ job, chosen, onOpen }: JobRowProps) {
  const { timing } = job;
  return (
    <tr className={chosen ? "bg-accent-soft" : ""}>
      <td data-label="State">
        <JobBadge job={job} />
      </td>
      <td data-label="Job">
        <JobName job={job} onOpen={onOpen} />
      </td>
      <td data-label="Step">{job.step}</td>
      <td data-label="Sample">
        {job.sample_id ?? (job.scatter_index.length > 0 ? `#${job.scatter_index.join(".")}` : "")}
      </td>
      <td data-label="Attempt" className="number">
        {job.attempt}
      </td>
      <td data-label="Waited" className="number">
        {timing.queued_ms === null ? "" : formatDuration(timing.queued_ms)}
      </td>
      <td data-label="Ran" className="number">
        {timing.started_at === null ? (
          ""
        ) : (
          <DurationText start={timing.started_at} end={timing.ended_at} durationMs={timing.running_ms} />
        )}
      </td>
      <td data-label="Exit code" className="number">
        {STATE_LOOKS[job.state].final && job.exit_code}
      </td>
    </tr>
  );
}

function JobName({ job, onOpen }: Pick<JobRowProps, "job" | "onOpen">) {
  return (
    <div>
      <button
        type="button"
        className="link text-left font-medium max-md:min-h-11"
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        {job.job_id}
      </button>
      {job.state_reason !== null && (
        <p className="max-w-prose text-[0.8125rem] text-soft">{job.state_reason.message}</p>
      )}
    </div>
  );
}
