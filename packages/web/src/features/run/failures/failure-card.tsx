import { useQuery } from "@tanstack/react-query";
import type { Job, JobSummary } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import { countText, numberText, pluralOf } from "@weft/shared/text/count-text.ts";
import { Link } from "react-router-dom";
import { jobListQuery, jobQuery } from "../../../api/queries/job-queries.ts";
import { links } from "../../../format/links.ts";
import { sampleTotal } from "../../../format/sample-total.ts";
import { plainLine } from "../../../format/parse-ansi.ts";
import { sentence } from "../../../format/sentence.ts";
import { FAILED_STATES, STATE_LOOKS, countIn } from "../../../format/state-look.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { StateIcon } from "../../../ui/state-badge.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { StderrTail } from "../log/log-text.tsx";
import { endsText, useMatrix } from "../samples/arrange-matrix.ts";
import { BundleMenu, DraftFailureLink, RetryButton } from "./failure-actions.tsx";

/** Maximum number of failed jobs analyzed for causes. */
const MAX_FAILED = 500;
const SHOWN_CAUSES = 5;
const NAMED_SAMPLES = 8;

/** Number of failed jobs of a run. */
export function failedJobs({ job_counts: counts }: Pick<Run, "job_counts">): number {
  return countIn(counts, FAILED_STATES);
}

/** The failed jobs of a run, and the first of them in full. */
export function useFailure(run: Run) {
  const count = failedJobs(run);
  const failed = useQuery({
    ...jobListQuery(run.run_id, { state: FAILED_STATES.join(","), page_size: MAX_FAILED }),
    enabled: count > 0,
  });
  const jobId = run.state_reason?.job_id ?? failed.data?.jobs[0]?.job_id;
  const job = useQuery({ ...jobQuery(run.run_id, jobId ?? ""), enabled: count > 0 && jobId !== undefined });
  const isPending = count > 0 && (failed.isPending || (jobId !== undefined && job.isPending));
  return { count, jobs: failed.data?.jobs, first: job.data, isPending };
}

/** The failure, its samples, its cause, and the actions of the user. */
export function FailureCard({ run }: { readonly run: Run }) {
  const { count, jobs, first } = useFailure(run);
  if (count === 0 || jobs === undefined || first === undefined) return null;
  const figures = { failed: count, samples: sampleTotal(run) };
  const groups = groupFailures(jobs);
  const cause = groups.length === 1 ? causeLine(first.stderr_tail ?? "") : "";
  return (
    <section aria-labelledby="failure-title" className="card min-w-0 border-failed/50 p-4">
      <h2 id="failure-title" className="flex gap-2 text-failed wrap-anywhere">
        <StateIcon state={first.state} className="mt-0.5 size-4.5" />
        <span>
          {failureTitle(jobs, figures)}
          {cause !== "" && `: ${cause}`}
        </span>
      </h2>
      <div className="mt-1 space-y-1 md:pl-6.5">
        {run.samples.length > 0 && STATE_LOOKS[run.state].final && <SampleEnds run={run} />}
        {groups.length === 1 && (
          <p className="max-w-[90ch] wrap-anywhere">
            <Reason job={first} />
          </p>
        )}
        {count > 1 && <Causes run={run} groups={groups} isWhole={jobs.length >= count} />}
        <StderrTail job={first} isShort={count > 1 ? "first" : "only"} />
        {first.state_reason?.code === "TOOL_EXIT" && STATE_LOOKS[run.state].final && (
          <p className="text-soft">Same input, same result: replace the file or change the tool before you retry.</p>
        )}
        <FailureLinks run={run} job={first} samples={jobs.length >= count ? samplesOf(jobs) : []} />
        <CommandLine job={first} />
      </div>
    </section>
  );
}

/** How many samples succeeded, failed, or were stopped; nothing if not all are known. */
function SampleEnds({ run }: { readonly run: Run }) {
  const { matrix, isWhole } = useMatrix(run);
  // The line reserves its space before the text is known.
  return <p className="min-h-6 max-w-[90ch]">{isWhole && endsText(matrix.rows)}</p>;
}

function CommandLine({ job }: { readonly job: Job }) {
  if (job.command === undefined || job.command === null) return null;
  return (
    <details className="pt-2">
      <summary className="cursor-pointer text-soft">Command line</summary>
      <div className="mt-1">
        <CodeBlock label="Command line of the failed job" text={shellLine(job.command)} wrap maxHeight="10rem" />
      </div>
    </details>
  );
}

interface CausesProps {
  readonly run: Run;
  readonly groups: readonly FailureGroup[];
  readonly isWhole: boolean;
}

function Causes({ run, groups, isWhole }: CausesProps) {
  const others = groups.length - SHOWN_CAUSES;
  return (
    <>
      <ul className="space-y-1">
        {groups.slice(0, SHOWN_CAUSES).map((group) => (
          <Cause key={group.first.job_id} run={run} group={group} hasOthers={groups.length > 1} />
        ))}
      </ul>
      {others > 0 && (
        <p className="text-soft">
          And {others} more {pluralOf("cause", others)}.
        </p>
      )}
      {!isWhole && <p className="text-soft">Based on the first {MAX_FAILED} failed jobs.</p>}
    </>
  );
}

/** `6 jobs of smooth: not a NIfTI-1 file. sub-03, sub-04 …` */
function Cause({
  run,
  group,
  hasOthers,
}: {
  readonly run: Run;
  readonly group: FailureGroup;
  readonly hasOthers: boolean;
}) {
  const { step, message, jobs, first, samples } = group;
  const { data } = useQuery({ ...jobQuery(run.run_id, first.job_id), enabled: hasOthers });
  const cause = causeLine(data?.stderr_tail ?? "") || message;
  return (
    <li className="max-w-[110ch] wrap-anywhere">
      <strong className="tabular-nums">{countText(jobs, "job")}</strong> of{" "}
      <TextLink to={links.view({ tab: "jobs", step, state: first.state })}>{step === "" ? "the tool" : step}</TextLink>
      {hasOthers && `: ${sentence(cause)}`} <span className="text-soft">{namesText(samples)}</span>
    </li>
  );
}

function namesText(samples: readonly string[]): string {
  const others = samples.length - NAMED_SAMPLES;
  return samples.slice(0, NAMED_SAMPLES).join(", ") + (others > 0 ? ` and ${others} more` : "");
}

function Reason({ job }: { readonly job: Job }) {
  const message = job.state_reason?.message ?? "";
  return (
    <>
      {sentence(message)}
      {exitText(job, message)}
      {job.stderr_tail === undefined && <span className="text-soft"> {sentence(job.state_reason?.hint ?? "")}</span>}
    </>
  );
}

/** The exit code or signal, unless the message already contains it. */
function exitText({ exit_code: exitCode, signal }: Job, message: string): string {
  if (exitCode === null) return signal === null ? "" : ` Killed by signal ${signal}.`;
  return message.includes("exit code") ? "" : ` Exit code ${exitCode}.`;
}

interface FailureLinksProps {
  readonly run: Run;
  readonly job: Job;
  readonly samples: readonly string[];
}

function FailureLinks({ run, job, samples }: FailureLinksProps) {
  return (
    <div className="flex flex-wrap items-start gap-2 pt-2">
      {samples.length > 0 && STATE_LOOKS[run.state].final && <RetryButton run={run} samples={samples} />}
      <Link className="btn" to={links.view({ tab: "jobs", job: job.job_id })}>
        View job
      </Link>
      <Link className="btn" to={links.view({ tab: "logs", job: job.job_id })}>
        View log
      </Link>
      <DraftFailureLink run={run} jobId={job.job_id} />
      <BundleMenu job={job} />
      <Link className="btn btn-quiet" to={`/doc/reference/states#${job.state_reason?.code.toLowerCase() ?? ""}`}>
        Help: {job.state_reason?.code ?? job.state}
      </Link>
    </div>
  );
}

/** Jobs of one step that failed for the same reason. */
interface FailureGroup {
  readonly step: string;
  readonly message: string;
  readonly jobs: number;
  readonly first: JobSummary;
  /** Distinct samples in job order. */
  readonly samples: readonly string[];
}

/** Failed jobs by step and message, the most frequent cause first. */
export function groupFailures(jobs: readonly JobSummary[]): readonly FailureGroup[] {
  const groups = Map.groupBy(jobs, ({ step, state_reason }) => JSON.stringify([step, state_reason?.message ?? ""]));
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const message = first.state_reason?.message ?? "";
      return { step: first.step, message, jobs: own.length, first, samples: samplesOf(own) };
    })
    .toSorted((a, b) => b.jobs - a.jobs);
}

function samplesOf(jobs: readonly JobSummary[]): readonly string[] {
  return [...new Set(jobs.flatMap(({ sample_id }) => sample_id ?? []))];
}

/** Figures of a run that failed. */
interface RunFigures {
  /** Number of failed jobs. */
  readonly failed: number;
  /** Number of samples of the run, if it is known. */
  readonly samples: number | undefined;
}

/** The failure without its cause: `Smooth failed for sub-03`, `9 jobs failed for 9 of 300 samples`. */
export function failureTitle(jobs: readonly JobSummary[], { failed, samples: all }: RunFigures): string {
  const [first] = jobs;
  if (failed === 1 && first !== undefined)
    return `${stepName(first.step)} failed${first.sample_id === null ? "" : ` for ${first.sample_id}`}`;
  const samples = samplesOf(jobs).length;
  if (jobs.length < failed || samples === 0) return `${numberText(failed)} jobs failed`;
  const share = all === undefined ? "" : `${numberText(samples)} of `;
  return `${numberText(failed)} jobs failed for ${share}${countText(Math.max(all ?? 0, samples), "sample")}`;
}

const MAX_CHARACTERS = 200;
const SAYS_WHY = /error|exception|fail|cannot|can't|not |invalid|denied|missing|killed/i;

/**
 * The line of standard error that probably states the cause: the last one with a typical word, else the last one. "" if
 * nothing was written.
 */
export function causeLine(stderr: string): string {
  const lines = stderr.split("\n").flatMap((line) => {
    // A stack trace line does not state the cause.
    const text = plainLine(line).trim();
    return text === "" || /^(at |File ")/.test(text) ? [] : [text];
  });
  const line = lines.findLast((text) => SAYS_WHY.test(text)) ?? lines.at(-1) ?? "";
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

/** The last part of a step's path, capitalized. */
function stepName(step: string): string {
  const name = step.slice(step.lastIndexOf("/") + 1);
  return name === "" ? "The tool" : name.charAt(0).toUpperCase() + name.slice(1);
}
