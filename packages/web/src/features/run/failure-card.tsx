import { shellLine } from "@weft/shared/records/shell-line.ts";
import { useQuery } from "@tanstack/react-query";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { jobListQuery, jobQuery } from "../../api/job-queries.ts";
import { sentence } from "../../format/sentence.ts";
import { FAILED_STATES, STATE_LOOKS } from "../../format/state-look.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { RetryButton } from "./retry-button.tsx";
import { BundleMenu } from "./bundle-menu.tsx";
import { StderrTail } from "./stderr-tail.tsx";

/** Why a run failed: its first failed job with what the tool said last. */
export function FailureCard({ run }: { readonly run: Run }) {
  const named = run.state_reason?.job_id;
  const failedState = FAILED_STATES.find((state) => (run.job_counts[state] ?? 0) > 0);
  const first = useQuery({
    ...jobListQuery(run.run_id, { states: failedState && [failedState], pageSize: 1 }),
    enabled: named === undefined && failedState !== undefined,
  });
  const jobId = named ?? first.data?.jobs[0]?.job_id;
  const job = useQuery({ ...jobQuery(run.run_id, jobId ?? ""), enabled: jobId !== undefined });
  if (failedState === undefined) return null;
  const isReading = jobId === undefined ? first.isPending : job.isPending;
  if (job.data === undefined) return isReading ? <Placeholder /> : null;
  return <FailedJob run={run} job={job.data} />;
}

/** As high as most cards: what stands below stays where it is when the job has been read. */
function Placeholder() {
  return (
    <div className="min-h-84">
      <Skeleton rows={9} />
    </div>
  );
}

function FailedJob({ run, job }: { readonly run: Run; readonly job: Job }) {
  const where = [job.step || "the tool", job.sample_id ?? ""].filter((part) => part !== "").join(", ");
  return (
    <TitledSection title={`${job.state_reason?.code ?? job.state} in ${where}`} card tone="failed">
      <ReasonText job={job} />
      <StderrTail job={job} />
      {job.command !== undefined && job.command !== null && (
        <div className="mt-3">
          <h3 className="mb-1">Command line</h3>
          <CodeBlock label="Command line of the failed job" text={shellLine(job.command)} wrap maxHeight="10rem" />
        </div>
      )}
      <FailureLinks run={run} job={job} />
    </TitledSection>
  );
}

function ReasonText({ job }: { readonly job: Job }) {
  const message = job.state_reason?.message ?? "";
  return (
    <p className="max-w-[90ch] wrap-anywhere">
      {sentence(message)}
      {exitText(job, message)}
      <span className="text-soft"> {sentence(job.state_reason?.hint ?? "")}</span>
    </p>
  );
}

/** Where the sentence does not say it already. */
function exitText({ exit_code: exitCode, signal }: Job, message: string): string {
  if (exitCode === null) return signal === null ? "" : ` Ended by signal ${signal}.`;
  return message.includes("exit code") ? "" : ` Exit code ${exitCode}.`;
}

function FailureLinks({ run, job }: { readonly run: Run; readonly job: Job }) {
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      <Link className="btn" to={`?tab=jobs&job=${job.job_id}`}>
        View job
      </Link>
      <Link className="btn" to={`?tab=logs&job=${job.job_id}`}>
        View log
      </Link>
      {job.sample_id !== null && STATE_LOOKS[run.state].final && <RetryButton run={run} sample={job.sample_id} />}
      <BundleMenu job={job} />
      <Link className="btn btn-quiet" to={`/doc?topic=states-and-reasons#${job.state_reason?.code ?? ""}`}>
        Help for this error
      </Link>
    </div>
  );
}
