import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { numberText, pluralOf } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { Link, useNavigate } from "react-router-dom";
import { jobListQuery } from "../../../api/queries/job-queries.ts";
import { ProcessLink } from "../../../components/process/process-link.tsx";
import { useCanRunAgain } from "../../../components/role-gate.tsx";
import { RunTags } from "../../../components/run-list/run-tags.tsx";
import { AbortButton, PauseButton } from "../../../components/run/run-controls.tsx";
import { TimeLeft } from "../../../components/run/time-left.tsx";
import { useIsPast } from "../../../components/run/use-moment.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { hasForm, links } from "../../../format/links.ts";
import { sentence } from "../../../format/sentence.ts";
import { JOB_STATE_ORDER, STATE_LOOKS, countIn } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { JobProgressBar } from "../../../ui/job-progress-bar.tsx";
import { useShortcuts } from "../../../ui/keyboard/use-shortcuts.ts";
import { onDemand } from "../../../ui/on-demand.tsx";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { Pill, StateBadge, StateIcon, TONES } from "../../../ui/state-badge.tsx";
import { DurationText, TimeAgo } from "../../../ui/time-text.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { TextLink } from "../../../ui/text-link.tsx";
import { DraftFailureLink, RetryButton } from "../failures/failure-actions.tsx";
import { failedJobs } from "../failures/failure-card.tsx";

const RunMenu = onDemand(() => import("./run-menu.tsx"), <span className="w-10" />);

/** Name, progress and actions of a run; sticky while the tabs scroll. */
export function RunHeader({ run }: { readonly run: Run }) {
  const isFinal = STATE_LOOKS[run.state].final;
  const navigate = useNavigate();
  const canRun = useCanRunAgain(run);
  const isPast = useIsPast();
  useShortcuts({
    run: isFinal && canRun && hasForm(run) && !isPast ? () => void navigate(links.runAgain(run)) : undefined,
  });
  return (
    <div className="relative py-px md:py-1">
      <PageHeading
        compact
        title={run.name}
        documentTitle={`${STATE_LOOKS[run.state].word}: ${run.name} - Runs`}
        crumbs={[{ label: "Runs", to: "/runs" }]}
        aside={
          <>
            <StateBadge state={run.state} isShort />
            {run.draft !== undefined && <DraftMark draft={run.draft} />}
            {!isFinal && <Pace run={run} />}
          </>
        }
        actions={<RunActions run={run} />}
      />
      {/* Success needs no message, and the page describes a failure below. */}
      {!isFinal && (
        <JobProgressBar
          counts={run.job_counts}
          total={run.progress.jobs_total}
          className="absolute inset-x-0 -bottom-0.5 h-0.75"
        />
      )}
    </div>
  );
}

/** The document is not published, so that its tool or network may have no page. */
function DraftMark({ draft }: { readonly draft: NonNullable<Run["draft"]> }) {
  return (
    <Link
      to={links.draft(draft.draft_id)}
      title={`Revision ${draft.revision} of a draft`}
      className="group rounded-full"
    >
      <Pill tone="paused" className="group-hover:underline">
        Draft
      </Pill>
    </Link>
  );
}

/** The actions of the run; none while an earlier moment is shown. */
function RunActions({ run }: { readonly run: Run }) {
  const canRun = useCanRunAgain(run);
  if (useIsPast()) return <BackToNow />;
  return (
    <div className="flex gap-2 *:min-h-8 max-md:gap-1 max-md:*:min-h-10">
      {STATE_LOOKS[run.state].final ? (
        canRun && <EndedRunActions run={run} />
      ) : (
        <>
          <PauseButton run={run} />
          <AbortButton run={run} />
        </>
      )}
      <RunMenu run={run} />
    </div>
  );
}

function BackToNow() {
  const [, setAt] = useSearchParam("at");
  return <Button onClick={() => setAt("")}>Back to now</Button>;
}

/** Progress of an open run, and its time left. */
function Pace({ run }: { readonly run: Run }) {
  const { fraction } = run.progress;
  return (
    <span className="flex gap-3 text-small whitespace-nowrap text-soft tabular-nums max-sm:hidden">
      {fraction !== null && <span>{Math.floor(fraction * 100)}%</span>}
      <TimeLeft run={run} />
    </span>
  );
}

function EndedRunActions({ run }: { readonly run: Run }) {
  const hasFailed = run.outcome !== "success" && run.imported === undefined;
  return (
    <>
      {hasForm(run) && (
        <Link className={`btn ${hasFailed ? "max-md:hidden" : ""}`} to={links.runAgain(run)}>
          <Icon name="again" /> Run again
        </Link>
      )}
      {hasFailed && <RetryButton run={run} />}
    </>
  );
}

/** More details of a run, with its relations to other runs; not sticky. */
export function RunSummary({ run }: { readonly run: Run }) {
  return (
    <div>
      <StateSentence run={run} />
      {run.note !== "" && <p className="mb-2 max-w-[90ch] whitespace-pre-wrap wrap-anywhere">{run.note}</p>}
      <RunFacts run={run} />
    </div>
  );
}

function RunFacts({ run }: { readonly run: Run }) {
  const isFinal = STATE_LOOKS[run.state].final;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-small text-soft">
      <span>
        {run.network === undefined ? "Tool" : "Network"} <ProcessLink run={run} />
      </span>
      <span>
        Started <TimeAgo time={run.start_time ?? run.created_at} />
      </span>
      <span>
        {isFinal ? "Duration" : "Running for"}{" "}
        <DurationText start={run.start_time} end={run.end_time} durationMs={run.duration_ms} />
      </span>
      {!isFinal && (
        <span className="sm:hidden">
          <TimeLeft run={run} />
        </span>
      )}
      <span>by {run.owner}</span>
      {run.storage !== null && (
        <Link className="hover:underline" to="?tab=info">
          {formatBytes(run.storage.total_bytes)} on disk
        </Link>
      )}
      <Relations run={run} />
      <RunTags tags={run.tags} />
      {/* Last, because they come and go: nothing after them moves. */}
      <Counts run={run} />
    </div>
  );
}

/**
 * The state in one sentence, with its reason. A failure has a card instead. There is always a line, so that the page
 * does not move when a reason appears or disappears.
 */
function StateSentence({ run }: { readonly run: Run }) {
  if (failedJobs(run) > 0) return null;
  return (
    <p className="mb-2 min-h-6 max-w-[90ch] wrap-anywhere">
      {run.state_reason === null ? stateText(run) : <Reason run={run} reason={run.state_reason} />}
    </p>
  );
}

function stateText({ state, duration_ms: durationMs, progress }: Run): string {
  const { jobs_total: total, jobs_done: done, jobs_cached: cached } = progress;
  const all = `${numberText(total)}${progress.jobs_total_is_final ? "" : "+"} ${pluralOf("job", total)}`;
  if (!STATE_LOOKS[state].final) return `${numberText(done)} of ${all} done.`;
  const time = durationMs === null ? "" : ` in ${formatDuration(durationMs)}`;
  const reused = cached === 0 ? "" : `; ${numberText(cached)} of ${all} reused earlier results`;
  return `${STATE_LOOKS[state].word}${time}${reused}.`;
}

function Reason({ run, reason }: { readonly run: Run; readonly reason: NonNullable<Run["state_reason"]> }) {
  const { code, message, hint, job_id: jobId } = reason;
  if (code === "WAITING" && run.state === "RUNNING") return <WaitingReason run={run} message={message} />;
  return (
    <>
      {sentence(message)}{" "}
      {jobId === undefined ? (
        hint !== undefined && <span className="text-soft">{sentence(hint)}</span>
      ) : (
        <TextLink to={links.view({ tab: "jobs", job: jobId })}>View job</TextLink>
      )}{" "}
      <DraftFailureLink run={run} jobId={jobId} className="link" />
    </>
  );
}

/** The reason of the first waiting job. It changes without an event of the run, whose record only says that all jobs wait. */
function WaitingReason({ run, message }: { readonly run: Run; readonly message: string }) {
  const { data } = useQuery(jobListQuery(run.run_id, { state: "QUEUED", page_size: 1 }));
  const first = data?.jobs[0];
  return (
    <>
      {sentence(first?.state_reason?.message ?? message)}{" "}
      {first !== undefined && <TextLink to={links.view({ tab: "jobs", job: first.job_id })}>View job</TextLink>}
    </>
  );
}

/** The states that have jobs, each linked to those jobs. */
function Counts({ run }: { readonly run: Run }) {
  const { jobs_total, jobs_total_is_final, jobs_cached } = run.progress;
  const known = countIn(run.job_counts, JOB_STATE_ORDER);
  return (
    <span className="flex gap-x-3 whitespace-nowrap tabular-nums max-sm:w-full max-sm:overflow-x-auto sm:flex-wrap">
      <span className="font-semibold text-ink">
        {numberText(jobs_total)}
        {jobs_total_is_final ? "" : "+"} {pluralOf("job", jobs_total)}
      </span>
      {JOB_STATE_ORDER.filter((state) => (run.job_counts[state] ?? 0) > 0).map((state) => (
        <Link
          key={state}
          to={links.view({ tab: "jobs", state })}
          className={`inline-flex items-center gap-1 hover:underline ${TONES[STATE_LOOKS[state].tone].text}`}
        >
          <StateIcon state={state} className="size-3.5" />
          {numberText(run.job_counts[state] ?? 0)} {STATE_LOOKS[state].word.toLowerCase()}
          {state === "COMPLETE" && jobs_cached > 0 && (
            <span title="Reused earlier results"> ({numberText(jobs_cached)} cached)</span>
          )}
        </Link>
      ))}
      {STATE_LOOKS[run.state].final && jobs_total > known && <span>{numberText(jobs_total - known)} not run</span>}
    </span>
  );
}

/** The run that this one retries, and the latest retry of this one. */
function Relations({ run }: { readonly run: Run }) {
  const { retry_of, retried_by } = run.relations;
  const [newest, ...others] = retried_by;
  return (
    <>
      {retry_of !== null && (
        <span>
          Retry of <RunLink run={retry_of} />
        </span>
      )}
      {newest !== undefined && (
        <span>
          Retried as <RunLink run={newest} />
          {others.length > 0 && ` and ${others.length} more`}
        </span>
      )}
    </>
  );
}

function RunLink({ run }: { readonly run: Pick<Run, "run_id" | "name"> }) {
  return (
    <Link className="link wrap-anywhere" to={links.run(run.run_id)}>
      {run.name}
    </Link>
  );
}
