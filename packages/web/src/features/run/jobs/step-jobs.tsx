import { useQuery } from "@tanstack/react-query";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { Link } from "react-router-dom";
import { jobListQuery } from "../../../api/queries/job-queries.ts";
import { jobSummaryAt } from "../../../api/queries/jobs-at.ts";
import { EditLink } from "../../../components/process/process-link.tsx";
import { useMoment } from "../../../components/run/use-moment.ts";
import { JobBadge } from "../../../components/badges.tsx";
import { links } from "../../../format/links.ts";
import { QueryView } from "../../../ui/query-view.tsx";
import { DurationText } from "../../../ui/time-text.tsx";
import { TitledSection } from "../../../ui/titled-section.tsx";

const SHOWN = 12;

/** The first jobs of the step that is selected in the graph. */
export default function StepJobs({ runId, step }: { readonly runId: string; readonly step: string }) {
  const { isPast, atMs } = useMoment(runId);
  const jobs = useQuery({
    ...jobListQuery(runId, { step, page_size: SHOWN }),
    ...(isPast && { refetchInterval: false as const }),
  });
  const network = links.newNetwork({ run: runId, step: step.split("/")[0] });
  return (
    <TitledSection card title={`Jobs of ${step}`}>
      <p className="mb-2">
        <EditLink to={network} label="Make a network of this step" icon="plus" className="btn btn-small" />
      </p>
      <QueryView query={jobs} rows={2}>
        {(data) => (
          <>
            {shownJobs(data.jobs, atMs).length === 0 && <p className="text-soft">No jobs yet.</p>}
            <ul className="space-y-1.5">
              {shownJobs(data.jobs, atMs).map((job) => (
                <JobLine key={job.job_id} job={job} />
              ))}
            </ul>
            {data.next_page_token !== "" && (
              <Link className="link mt-2 inline-block" to={links.view({ tab: "jobs", step })}>
                All jobs of {step}
              </Link>
            )}
          </>
        )}
      </QueryView>
    </TitledSection>
  );
}

function JobLine({ job }: { readonly job: JobSummary }) {
  return (
    <li className="flex items-center gap-2">
      <JobBadge job={job} />
      <Link className="link min-w-0 truncate" to={links.view({ tab: "jobs", job: job.job_id })}>
        {job.sample_id ?? job.job_id}
      </Link>
      <span className="ml-auto text-soft">
        <DurationText start={job.timing.started_at} end={job.timing.ended_at} durationMs={job.timing.running_ms} />
      </span>
    </li>
  );
}

/** The jobs now, or at the moment shown. */
function shownJobs(jobs: readonly JobSummary[], atMs: number | undefined): readonly JobSummary[] {
  return atMs === undefined ? jobs : jobs.flatMap((job) => jobSummaryAt(job, atMs) ?? []);
}
