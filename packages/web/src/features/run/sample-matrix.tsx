import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { JobTimes } from "../../api/all-jobs.ts";
import { allJobsQuery } from "../../api/all-jobs-query.ts";
import { isFailed, STATE_LOOKS } from "../../format/state-look.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { StateIcon, TONE_SOFT, TONE_TEXT } from "../../ui/state-badge.tsx";
import { RetryButton } from "./retry-button.tsx";
import { arrangeMatrix, type Matrix, type MatrixRow } from "./arrange-matrix.ts";

const JOBS_AT_ONCE = 500;

/** Samples as rows, steps as columns, one cell per job: shows at once which sample is where. */
export function SampleMatrix({ run }: { readonly run: Run }) {
  const jobs = useQuery(allJobsQuery(run.run_id, !STATE_LOOKS[run.state].final));
  const [shown, setShown] = useState(JOBS_AT_ONCE);
  const steps = run.step_counts.map(({ step }) => step);
  return (
    <QueryView query={jobs}>
      {(data) => (
        <>
          <MatrixTable run={run} matrix={arrangeMatrix(steps, data.jobs.slice(0, shown))} />
          {data.jobs.length < data.total && (
            <p className="mt-3 text-canceled">
              These are samples of the first {data.jobs.length} of {data.total} jobs; the tab Jobs lists them all.
            </p>
          )}
          {data.jobs.length > shown && (
            <button type="button" className="btn mt-3" onClick={() => setShown(shown + JOBS_AT_ONCE)}>
              Show {JOBS_AT_ONCE} more jobs
            </button>
          )}
        </>
      )}
    </QueryView>
  );
}

function MatrixTable({ run, matrix }: { readonly run: Run; readonly matrix: Matrix }) {
  const isFinal = STATE_LOOKS[run.state].final;
  return (
    <div className="card relative overflow-x-auto">
      <table className="table">
        <caption className="sr-only">Samples and steps</caption>
        <thead>
          <tr>
            <th scope="col">Sample</th>
            {matrix.steps.map((step) => (
              <th key={step} scope="col">
                {step}
              </th>
            ))}
            {isFinal && (
              <th scope="col">
                <span className="sr-only">Retry</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row) => (
            <MatrixRowView key={row.sample} row={row} steps={matrix.steps} run={isFinal ? run : undefined} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface MatrixRowViewProps {
  readonly row: MatrixRow;
  readonly steps: readonly string[];
  /** Once it has ended: what can be retried. */
  readonly run: Run | undefined;
}

function MatrixRowView({ row, steps, run }: MatrixRowViewProps) {
  const hasFailed = [...row.jobs.values()].some(({ state }) => isFailed(state));
  return (
    <tr>
      <th scope="row" className="sticky left-0 bg-surface text-ink">
        {row.sample}
      </th>
      {steps.map((step) => {
        const job = row.jobs.get(step);
        return (
          <td key={step}>{job === undefined ? <span className="text-soft">not yet</span> : <Cell job={job} />}</td>
        );
      })}
      {run !== undefined && <td>{hasFailed && <RetryButton run={run} sample={row.sample} small />}</td>}
    </tr>
  );
}

function Cell({ job }: { readonly job: JobTimes }) {
  const look = STATE_LOOKS[job.state];
  return (
    <Link
      to={`?tab=jobs&job=${job.id}`}
      className={`inline-flex min-h-7 items-center gap-1.5 rounded-md px-2 text-[0.8125rem] whitespace-nowrap hover:underline ${TONE_TEXT[look.tone]} ${TONE_SOFT[look.tone]}`}
    >
      <StateIcon state={job.state} className="size-3.5" /> {look.word}
      {job.cached && <span className="font-normal">cached</span>}
    </Link>
  );
}
