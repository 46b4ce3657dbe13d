import type { Run } from "@weft/shared/records/run-record.ts";
import { Link, useNavigate } from "react-router-dom";
import { useRights } from "../../api/session-query.ts";
import { AbortButton } from "../../components/abort-button.tsx";
import { PauseButton } from "../../components/pause-button.tsx";
import { ProcessLink } from "../../components/process-link.tsx";
import { comparePath, runAgainPath, shortRunId } from "../../components/run-paths.ts";
import { pluralOf } from "../../format/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { sentence } from "../../format/sentence.ts";
import { JOB_STATE_ORDER, STATE_LOOKS } from "../../format/state-look.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useShortcuts } from "../../ui/keyboard/use-shortcuts.ts";
import { JobProgressBar } from "../../ui/job-progress-bar.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { StateBadge, StateIcon, TONE_TEXT } from "../../ui/state-badge.tsx";
import { DurationText, TimeAgo, TimeLeft } from "../../ui/time-text.tsx";
import { ReproduceButton } from "./reproduce-button.tsx";
import { RetryButton } from "./retry-button.tsx";
import { WatchButton } from "./watch-button.tsx";

/** What a run is, how far it has come and what can be done with it; stays in sight while its parts scroll. */
export function RunHeader({ run }: { readonly run: Run }) {
  const isFinal = STATE_LOOKS[run.state].final;
  const navigate = useNavigate();
  const canRun = useRights().has("runner");
  useShortcuts({ run: isFinal && canRun ? () => void navigate(runAgainPath(run)) : undefined });
  return (
    <div className="pt-2 pb-1 max-md:pt-0">
      <PageHeading
        compact
        title={run.name}
        documentTitle={`${STATE_LOOKS[run.state].word}: ${run.name} - Runs`}
        crumbs={[{ label: "Runs", to: "/runs" }]}
        aside={<StateBadge state={run.state} />}
        actions={isFinal ? <EndedRunActions run={run} canRun={canRun} /> : <OpenRunActions run={run} />}
      />
      <JobProgressBar counts={run.job_counts} total={run.progress.jobs_total} className="mt-2 h-1" />
    </div>
  );
}

/** What else is to be said of a run; scrolls away. */
export function RunSummaryLine({ run }: { readonly run: Run }) {
  return (
    <div className="mb-4">
      <StateSentence run={run} />
      <RunFacts run={run} />
    </div>
  );
}

function EndedRunActions({ run, canRun }: { readonly run: Run; readonly canRun: boolean }) {
  return (
    <>
      <Link className="btn" to={comparePath(run)}>
        Compare…
      </Link>
      {canRun && (
        <>
          <ReproduceButton run={run} />
          <Link className="btn" to={runAgainPath(run)}>
            <Icon name="again" /> Run again
          </Link>
          {run.outcome !== "success" && <RetryButton run={run} />}
        </>
      )}
    </>
  );
}

function OpenRunActions({ run }: { readonly run: Run }) {
  return (
    <>
      <WatchButton run={run} />
      <PauseButton run={run} />
      <AbortButton run={run} />
    </>
  );
}

function RunFacts({ run }: { readonly run: Run }) {
  const isFinal = STATE_LOOKS[run.state].final;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem] text-soft">
      <Counts run={run} />
      <span>
        {run.network === undefined ? "Tool" : "Network"} <ProcessLink run={run} />
      </span>
      <span>
        Started <TimeAgo time={run.start_time ?? run.created_at} />
      </span>
      <span>
        {isFinal ? "Took" : "Running for"}{" "}
        <DurationText start={run.start_time} end={run.end_time} durationMs={run.duration_ms} />
      </span>
      {run.state === "RUNNING" && run.progress.eta !== null && <TimeLeft eta={run.progress.eta} />}
      <span>by {run.owner}</span>
      {run.storage !== null && (
        <Link className="hover:underline" to="?tab=info">
          {formatBytes(run.storage.total_bytes)} on disk
        </Link>
      )}
      <Relations run={run} />
      <CopyButton text={run.run_id} label="Copy id" className="inline-flex min-h-6 items-center gap-1 hover:text-ink" />
    </div>
  );
}

function StateSentence({ run }: { readonly run: Run }) {
  if (run.state_reason === null) return null;
  // The hint about a job refers to what its own panel shows.
  const { message, hint, job_id: jobId } = run.state_reason;
  return (
    <p className="mb-2 max-w-[90ch] wrap-anywhere">
      {sentence(message)}
      {jobId === undefined ? (
        hint !== undefined && <span className="text-soft"> {sentence(hint)}</span>
      ) : (
        <>
          {" "}
          <Link className="link" to={`?tab=jobs&job=${jobId}`}>
            View job
          </Link>
        </>
      )}
    </p>
  );
}

/** The states that have jobs, each a way to them. */
function Counts({ run }: { readonly run: Run }) {
  const { jobs_done, jobs_total, jobs_total_is_final, jobs_cached } = run.progress;
  return (
    <span className="flex flex-wrap gap-x-3 tabular-nums">
      <span className="font-semibold text-ink">
        {jobs_done} of {jobs_total}
        {jobs_total_is_final ? "" : "+"} {pluralOf("job", jobs_total)}
      </span>
      {JOB_STATE_ORDER.filter((state) => (run.job_counts[state] ?? 0) > 0).map((state) => (
        <Link
          key={state}
          to={`?tab=jobs&state=${state}`}
          className={`inline-flex items-center gap-1 hover:underline ${TONE_TEXT[STATE_LOOKS[state].tone]}`}
        >
          <StateIcon state={state} className="size-3.5" />
          {run.job_counts[state]} {STATE_LOOKS[state].word.toLowerCase()}
          {state === "COMPLETE" && jobs_cached > 0 && (
            <span title="Reused earlier results"> ({jobs_cached} cached)</span>
          )}
        </Link>
      ))}
    </span>
  );
}

/** The run that this one is once more, and the newest that is this one once more. */
function Relations({ run }: { readonly run: Run }) {
  const { retry_of, retried_by } = run.relations;
  const [newest, ...others] = retried_by;
  return (
    <>
      {retry_of !== null && (
        <span>
          Retry of <RunLink runId={retry_of.run_id} />
        </span>
      )}
      {newest !== undefined && (
        <span>
          Retried as <RunLink runId={newest.run_id} />
          {others.length > 0 && ` and ${others.length} more`}
        </span>
      )}
    </>
  );
}

function RunLink({ runId }: { readonly runId: string }) {
  return (
    <Link className="link code" to={`/run/${runId}`}>
      {shortRunId(runId)}
    </Link>
  );
}
