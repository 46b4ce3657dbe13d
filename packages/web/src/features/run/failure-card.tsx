import { shellLine } from "@weft/shared/records/shell-line.ts";
import { useQuery } from "@tanstack/react-query";
import type { Job, JobSummary } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { jobListQuery, jobQuery } from "../../api/job-queries.ts";
import { pluralOf } from "../../format/count-text.ts";
import { sentence } from "../../format/sentence.ts";
import { FAILED_STATES, STATE_LOOKS } from "../../format/state-look.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { BundleMenu } from "./bundle-menu.tsx";
import { failureTitle, groupFailures, samplesOf, type FailureGroup } from "./group-failures.ts";
import { RetryButton } from "./retry-button.tsx";
import { StderrTail } from "./stderr-tail.tsx";

/** Failed jobs that are looked at for causes. */
const MOST_FAILED = 200;
const SHOWN_CAUSES = 5;
const NAMED_SAMPLES = 8;

/** Why a run failed: the causes by step and message, and what the first failed job said last. */
export function FailureCard({ run }: { readonly run: Run }) {
  const count = FAILED_STATES.reduce((sum, state) => sum + (run.job_counts[state] ?? 0), 0);
  const failed = useQuery({
    ...jobListQuery(run.run_id, { states: FAILED_STATES, pageSize: MOST_FAILED }),
    enabled: count > 0,
  });
  const jobId = run.state_reason?.job_id ?? failed.data?.jobs[0]?.job_id;
  const job = useQuery({ ...jobQuery(run.run_id, jobId ?? ""), enabled: count > 0 && jobId !== undefined });
  if (count === 0) return null;
  if (failed.data === undefined || job.data === undefined)
    return failed.isPending || job.isPending ? <Placeholder /> : null;
  return <FailedJobs run={run} count={count} jobs={failed.data.jobs} first={job.data} />;
}

/** As high as most cards: what stands below stays where it is when the job has been read. */
function Placeholder() {
  return (
    <div className="min-h-84">
      <Skeleton rows={9} />
    </div>
  );
}

interface FailedJobsProps {
  readonly run: Run;
  /** How many jobs failed. */
  readonly count: number;
  /** The first of them. */
  readonly jobs: readonly JobSummary[];
  readonly first: Job;
}

function FailedJobs({ run, count, jobs, first }: FailedJobsProps) {
  const title = failureTitle(jobs, { jobs: count, samples: run.samples.length });
  return (
    <TitledSection
      title={title}
      aside={<span className="code text-soft">{first.state_reason?.code ?? first.state}</span>}
      card
      tone="failed"
    >
      {count === 1 ? (
        <ReasonText job={first} />
      ) : (
        <Causes groups={groupFailures(jobs)} isWhole={jobs.length >= count} />
      )}
      {count > 1 && (
        <h3 className="mt-3">
          First: {first.job_id}
          {first.sample_id !== null && `, ${first.sample_id}`}
        </h3>
      )}
      <StderrTail job={first} />
      {first.command !== undefined && first.command !== null && (
        <div className="mt-3">
          <h3 className="mb-1">Command line</h3>
          <CodeBlock label="Command line of the failed job" text={shellLine(first.command)} wrap maxHeight="10rem" />
        </div>
      )}
      <FailureLinks run={run} job={first} samples={samplesOf(jobs)} />
    </TitledSection>
  );
}

function Causes({ groups, isWhole }: { readonly groups: readonly FailureGroup[]; readonly isWhole: boolean }) {
  const others = groups.length - SHOWN_CAUSES;
  return (
    <>
      <ul className="space-y-1">
        {groups.slice(0, SHOWN_CAUSES).map(({ step, message, jobs, samples }) => (
          <li key={`${step} ${message}`} className="max-w-[110ch] wrap-anywhere">
            <strong className="tabular-nums">
              {jobs} {pluralOf("job", jobs)}
            </strong>{" "}
            of{" "}
            <Link className="link" to={`?tab=jobs&step=${encodeURIComponent(step)}&state=EXECUTOR_ERROR`}>
              {step === "" ? "the tool" : step}
            </Link>
            : {sentence(message)} <span className="text-soft">{namesText(samples)}</span>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className="mt-1 text-soft">
          And {others} more {pluralOf("cause", others)}.
        </p>
      )}
      {!isWhole && <p className="mt-1 text-soft">These are the causes of the first {MOST_FAILED} failed jobs.</p>}
    </>
  );
}

function namesText(samples: readonly string[]): string {
  const others = samples.length - NAMED_SAMPLES;
  return samples.slice(0, NAMED_SAMPLES).join(", ") + (others > 0 ? ` and ${others} more` : "");
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

interface FailureLinksProps {
  readonly run: Run;
  readonly job: Job;
  readonly samples: readonly string[];
}

function FailureLinks({ run, job, samples }: FailureLinksProps) {
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      <Link className="btn" to={`?tab=jobs&job=${job.job_id}`}>
        View job
      </Link>
      <Link className="btn" to={`?tab=logs&job=${job.job_id}`}>
        View log
      </Link>
      {samples.length > 0 && STATE_LOOKS[run.state].final && <RetryButton run={run} samples={samples} />}
      <BundleMenu job={job} />
      <Link className="btn btn-quiet" to={`/doc?topic=states-and-reasons#${job.state_reason?.code ?? ""}`}>
        Help for this error
      </Link>
    </div>
  );
}
