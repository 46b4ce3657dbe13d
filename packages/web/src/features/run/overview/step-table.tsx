import { useQuery } from "@tanstack/react-query";
import type { StepForecast } from "@weft/shared/records/insight-record.ts";
import type { Run, StepCounts } from "@weft/shared/records/run-record.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { Link } from "react-router-dom";
import { forecastQuery, runSizingQuery } from "../../../api/queries/job-queries.ts";
import { EstimateText } from "../../../components/run/time-left.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { links } from "../../../format/links.ts";
import { FAILED_STATES, countIn } from "../../../format/state-look.ts";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { JobProgressBar } from "../../../ui/job-progress-bar.tsx";

interface Row {
  readonly run: Run;
  readonly step: StepCounts;
}

const COLUMNS: readonly Column<Row>[] = [
  { label: "Step", bare: true, className: "md:w-1/2 md:max-w-0", render: (row) => <StepLink {...row} /> },
  { label: "Jobs", bare: true, className: "md:w-1/4", render: (row) => <StepProgress {...row} /> },
];

const TIME_LEFT: Column<Row> = {
  label: "Time left",
  bare: true,
  className: "whitespace-nowrap text-soft max-md:hidden md:w-44",
  render: (row) => <TimeLeft {...row} />,
};

const USED_CELL = { bare: true, number: true, className: "whitespace-nowrap max-md:hidden md:w-22" } as const;

const USED: readonly Column<Row>[] = [
  { ...USED_CELL, label: "Job time", render: (row) => <JobTime {...row} /> },
  { ...USED_CELL, label: "Memory", render: (row) => <Memory {...row} /> },
];

/**
 * The progress of each step; on wide screens also its remaining time while the run is open, or the resources that its
 * jobs used.
 */
export function StepTable({ run }: { readonly run: Run }) {
  return (
    <DataTable
      caption="Steps"
      columns={[...COLUMNS, ...(run.end_time === null ? [TIME_LEFT] : USED)]}
      rows={run.step_counts.map((step) => ({ run, step }))}
      keyOf={({ step }) => step.step}
      isPlain
    />
  );
}

function TimeLeft({ run, step }: Row) {
  const { data, dataUpdatedAt } = useQuery(forecastQuery(run));
  const forecast = data?.steps.find((found) => found.step === step.step);
  // The forecast is a few seconds older than the counts.
  if (isDone(step) || (data !== undefined && forecast === undefined)) return "none";
  if (forecast === undefined) return null;
  return (
    <span title={basisOf(forecast)}>
      {forecast.left === null ? "unknown" : <EstimateText estimate={forecast.left} asOfMs={dataUpdatedAt} />}
    </span>
  );
}

function isDone({ job_counts: counts, jobs_total: total, jobs_total_is_final: isFinal }: StepCounts): boolean {
  return isFinal && (counts.COMPLETE ?? 0) === total;
}

/** Median duration of the jobs that this run executed; empty if it executed none. */
function JobTime(row: Row) {
  const time = useStepSizing(row)?.used_here.time_ms ?? null;
  return time !== null && <span title={`Median of ${ofJobs(time.jobs)}`}>{formatDuration(time.p50)}</span>;
}

/** Peak memory of the jobs that this run executed; empty if it executed none. */
function Memory(row: Row) {
  const found = useStepSizing(row);
  const ram = found?.used_here.ram_bytes ?? null;
  if (ram === null) return null;
  const requested = found?.sizing.requested.ram_bytes ?? null;
  return <span title={memoryTitle(ram.jobs, requested)}>{formatBytes(ram.max)}</span>;
}

function useStepSizing({ run, step }: Row) {
  return useQuery(runSizingQuery(run.run_id)).data?.steps.find((found) => found.step === step.step);
}

function memoryTitle(jobs: number, requested: number | null): string {
  const peak = `Peak of ${ofJobs(jobs)}`;
  return requested === null ? peak : `${peak}; ${formatBytes(requested)} requested`;
}

function ofJobs(jobs: number): string {
  return `${countText(jobs, "job")} of this run`;
}

function basisOf({ jobs_of_run, jobs_before }: StepForecast): string {
  if (jobs_of_run + jobs_before === 0) return "No job of this step has finished";
  return `Based on ${countText(jobs_of_run, "job")} of this run and ${jobs_before} of earlier runs`;
}

function StepLink({ step: { step, label } }: Row) {
  return (
    <Link
      className="link block w-fit max-w-full truncate font-medium"
      title={step}
      to={links.view({ tab: "jobs", step })}
    >
      {label ?? (step === "" ? "Tool" : step)}
    </Link>
  );
}

function StepProgress({ run, step }: Row) {
  return (
    <div className="min-w-20 max-md:flex-1">
      <JobProgressBar counts={step.job_counts} total={step.jobs_total} className="h-1.5" />
      <p className="mt-0.5 text-small whitespace-nowrap text-soft tabular-nums">
        {step.jobs_total > 0 ? doneText(step) : run.end_time === null ? "not yet" : "not run"}
      </p>
    </div>
  );
}

/** `5 of 6, 1 failed`: the jobs that succeeded, and the most important other state. */
function doneText({ job_counts: counts, jobs_cached: cached, ...step }: StepCounts): string {
  const done = `${numberText(counts.COMPLETE ?? 0)} of ${numberText(step.jobs_total)}${step.jobs_total_is_final ? "" : "+"}`;
  const failed = countIn(counts, FAILED_STATES);
  const running = (counts.RUNNING ?? 0) + (counts.INITIALIZING ?? 0);
  const notes = [
    [failed, "failed"],
    [counts.CANCELED ?? 0, "aborted"],
    [running, "running"],
    [cached, "cached"],
  ] as const;
  const [count, word] = notes.find(([number]) => number > 0) ?? [0, ""];
  return count === 0 ? done : `${done}, ${numberText(count)} ${word}`;
}
