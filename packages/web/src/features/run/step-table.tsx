import { useQuery } from "@tanstack/react-query";
import type { StepForecast } from "@weft/shared/records/insight-record.ts";
import type { Run, StepCounts } from "@weft/shared/records/run-record.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { forecastQuery, runSizingQuery } from "../../api/job-queries.ts";
import { EstimateText } from "../../components/time-left.tsx";
import { countText, numberText } from "../../format/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { FAILED_STATES } from "../../format/state-look.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { JobProgressBar } from "../../ui/job-progress-bar.tsx";

const CANCELLED: Column = { label: "Aborted", number: true };

const TIME_LEFT: Column = { label: "Time left" };

const USED: readonly Column[] = [
  { label: "Job time", number: true },
  { label: "Peak memory", number: true },
];

const COLUMNS: readonly Column[] = [
  { label: "Step" },
  { label: "Progress" },
  { label: "Jobs", number: true },
  { label: "Running", number: true },
  { label: "Succeeded", number: true },
  { label: "Cached", number: true },
  { label: "Failed", number: true },
];

/** Number of jobs by state for each step, and the step's time left while the run is open. */
export function StepTable({ run }: { readonly run: Run }) {
  const { step_counts: steps } = run;
  // Shown only for runs with such jobs, so that the counts add up.
  const hasCancelled = steps.some(({ job_counts }) => (job_counts.CANCELED ?? 0) > 0);
  const isOpen = run.end_time === null;
  const columns = [...COLUMNS, ...(hasCancelled ? [CANCELLED] : []), ...(isOpen ? [TIME_LEFT] : USED)];
  return (
    <DataTable caption="Steps" columns={columns}>
      {steps.map((step) => (
        <StepRow key={step.step} step={step} hasCancelled={hasCancelled}>
          {isOpen ? <TimeLeftCell run={run} step={step} /> : <UsedCells run={run} step={step} />}
        </StepRow>
      ))}
    </DataTable>
  );
}

function TimeLeftCell({ run, step }: { readonly run: Run; readonly step: StepCounts }) {
  const { data, dataUpdatedAt } = useQuery(forecastQuery(run));
  const forecast = data?.steps.find((found) => found.step === step.step);
  const left = forecast?.left ?? null;
  return (
    <td data-label="Time left" className="whitespace-nowrap text-soft" title={forecast && basisOf(forecast)}>
      {left !== null && <EstimateText estimate={left} asOfMs={dataUpdatedAt} />}
      {forecast !== undefined && left === null && "unknown"}
      {data !== undefined && forecast === undefined && "none"}
    </td>
  );
}

/** Median duration and peak memory of the jobs that this run executed; empty if it executed none. */
function UsedCells({ run, step }: { readonly run: Run; readonly step: StepCounts }) {
  const { data } = useQuery(runSizingQuery(run.run_id));
  const found = data?.steps.find((one) => one.step === step.step);
  const { time_ms: time = null, ram_bytes: ram = null } = found?.used_here ?? {};
  const requested = found?.sizing.requested.ram_bytes ?? null;
  return (
    <>
      <td
        data-label="Job time"
        className="number md:w-24"
        title={time === null ? "" : `Median of ${ofJobs(time.jobs)}`}
      >
        {time !== null && formatDuration(time.p50)}
      </td>
      <td
        data-label="Peak memory"
        className="number md:w-44"
        title={ram === null ? "" : `Highest of ${ofJobs(ram.jobs)}`}
      >
        {ram !== null && formatBytes(ram.max)}
        {ram !== null && requested !== null && <span className="text-soft"> of {formatBytes(requested)}</span>}
      </td>
    </>
  );
}

function ofJobs(jobs: number): string {
  return `${countText(jobs, "job")} of this run`;
}

function basisOf({ jobs_of_run, jobs_before }: StepForecast): string {
  if (jobs_of_run + jobs_before === 0) return "No job of this step has finished";
  return `Based on ${countText(jobs_of_run, "job")} of this run and ${jobs_before} of earlier runs`;
}

interface StepRowProps {
  readonly step: StepCounts;
  readonly hasCancelled: boolean;
  /** The last cell. */
  readonly children: ReactNode;
}

function StepRow({ step, hasCancelled, children }: StepRowProps) {
  const failed = FAILED_STATES.reduce((sum, state) => sum + (step.job_counts[state] ?? 0), 0);
  return (
    <tr>
      <td>
        <Link className="link font-medium" to={`?tab=jobs&step=${encodeURIComponent(step.step)}`}>
          {step.step === "" ? "Tool" : step.step}
        </Link>
        {step.label !== undefined && <span className="ml-2 text-soft">{step.label}</span>}
      </td>
      <td data-label="Progress" className="md:w-1/3">
        <JobProgressBar counts={step.job_counts} total={step.jobs_total} />
      </td>
      <td data-label="Jobs" className="number">
        {numberText(step.jobs_total)}
        {step.jobs_total_is_final ? "" : "+"}
      </td>
      <CountCell label="Running" count={(step.job_counts.RUNNING ?? 0) + (step.job_counts.INITIALIZING ?? 0)} />
      <CountCell label="Succeeded" count={step.job_counts.COMPLETE ?? 0} />
      <CountCell label="Cached" count={step.jobs_cached} />
      <CountCell label="Failed" count={failed} />
      {hasCancelled && <CountCell label="Aborted" count={step.job_counts.CANCELED ?? 0} />}
      {children}
    </tr>
  );
}

/** On a phone, where each count is a line, zeros are left out. */
function CountCell({ label, count }: { readonly label: string; readonly count: number }) {
  return (
    <td data-label={label} className={`number ${count === 0 ? "max-md:hidden" : ""}`}>
      {numberText(count)}
    </td>
  );
}
