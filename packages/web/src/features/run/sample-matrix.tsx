import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { Link } from "react-router-dom";
import type { JobTimes } from "../../api/all-jobs.ts";
import { allJobsQuery } from "../../api/all-jobs-query.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { StateIcon, TONE_SOFT, TONE_TEXT } from "../../ui/state-badge.tsx";
import { RetryButton } from "./retry-button.tsx";
import { arrangeMatrix, type Matrix, type MatrixRow } from "./arrange-matrix.ts";

const ROW_PX = 45;

/** Samples as rows, steps as columns, one cell per job: shows at once which sample is where. */
export default function SampleMatrix({ run }: { readonly run: Run }) {
  const jobs = useQuery(allJobsQuery(run.run_id, !STATE_LOOKS[run.state].final));
  const steps = run.step_counts.map(({ step }) => step);
  return (
    <QueryView query={jobs}>
      {(data) => (
        <>
          <MatrixTable run={run} matrix={arrangeMatrix(steps, data.jobs)} />
          {data.jobs.length < data.total && (
            <p className="mt-3 text-canceled">
              These are the samples of the first {data.jobs.length} of {data.total} jobs. The Jobs tab lists all.
            </p>
          )}
        </>
      )}
    </QueryView>
  );
}

/** Scrolls in a box of its own; only the rows in sight exist. */
function MatrixTable({ run, matrix }: { readonly run: Run; readonly matrix: Matrix }) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: matrix.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={box} role="region" aria-label="Samples" tabIndex={0} className="card relative max-h-[70vh] overflow-auto">
      <table className="table" aria-rowcount={matrix.rows.length + 1}>
        <caption className="sr-only">Samples and steps</caption>
        <MatrixHead steps={matrix.steps} isFinal={STATE_LOOKS[run.state].final} />
        <tbody>
          <Spacer height={items[0]?.start ?? 0} />
          {items.map(({ index }) => {
            const row = matrix.rows[index];
            return (
              row !== undefined && (
                <MatrixRowView key={row.sample} row={row} index={index} steps={matrix.steps} run={run} />
              )
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  );
}

function MatrixHead({ steps, isFinal }: { readonly steps: readonly string[]; readonly isFinal: boolean }) {
  return (
    <thead className="sticky top-0 z-1 bg-surface">
      <tr>
        <th scope="col">Sample</th>
        {steps.map((step) => (
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
  );
}

/** Holds the place of the rows that do not exist. */
function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? (
    <tr aria-hidden="true">
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  ) : null;
}

interface MatrixRowViewProps {
  readonly row: MatrixRow;
  readonly index: number;
  readonly steps: readonly string[];
  readonly run: Run;
}

function MatrixRowView({ row, index, steps, run }: MatrixRowViewProps) {
  const isFinal = STATE_LOOKS[run.state].final;
  return (
    <tr aria-rowindex={index + 2} style={{ height: ROW_PX }}>
      <th scope="row" className="sticky left-0 bg-surface text-ink">
        {row.sample}
      </th>
      {steps.map((step) => {
        const job = row.jobs.get(step);
        return (
          <td key={step}>
            {job === undefined ? (
              <span className="text-soft">{isFinal ? "not run" : "not yet"}</span>
            ) : (
              <Cell job={job} />
            )}
          </td>
        );
      })}
      {isFinal && <td>{row.hasFailed && <RetryButton run={run} samples={[row.sample]} small />}</td>}
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
