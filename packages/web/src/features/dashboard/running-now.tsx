import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { TimeLeft } from "../../components/time-left.tsx";
import { SucceededJobs } from "../../components/succeeded-jobs.tsx";
import { JobProgressBar } from "../../ui/job-progress-bar.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { DurationText } from "../../ui/time-text.tsx";

/** Running runs with live progress. */
export function RunningNow({ runs }: { readonly runs: readonly RunSummary[] }) {
  return (
    <section aria-labelledby="running-title">
      <h2 id="running-title" className="mb-2">
        Running now
      </h2>
      {runs.length === 0 ? (
        <p className="card px-4 py-5 text-soft">Nothing is running. Pick a network to start one.</p>
      ) : (
        <ul className="grid gap-3 md:grid-cols-2">
          {runs.map((run) => (
            <RunningCard key={run.run_id} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RunningCard({ run }: { readonly run: RunSummary }) {
  return (
    <li className="card p-4">
      <div className="flex items-start justify-between gap-2">
        <Link className="link min-w-0 font-medium wrap-anywhere" to={`/run/${run.run_id}`}>
          {run.name}
        </Link>
        <StateBadge state={run.state} />
      </div>
      <JobProgressBar counts={run.job_counts} total={run.progress.jobs_total} className="mt-3 h-2" />
      <div className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-[0.8125rem] text-soft tabular-nums">
        <SucceededJobs run={run} />
        <TimeLeft run={run} />
        <DurationText start={run.start_time} end={run.end_time} durationMs={run.duration_ms} />
      </div>
    </li>
  );
}
