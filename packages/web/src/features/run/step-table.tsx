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

const TIME_LEFT: Column = { label: "Time left" };

const USED: readonly Column[] = [
  { label: "Job time", number: true },
  { label: "Memory", number: true },
];

const COLUMNS: readonly Column[] = [{ label: "Step" }, { label: "Jobs" }];

/**
 * The progress of each step; on wide screens also its remaining time while the run is open, or the resources that its
 * jobs used.
 */
export function StepTable({ run }: { readonly run: Run }) {
  const isOpen = run.end_time === null;
  return (
    <DataTable caption="Steps" columns={[...COLUMNS, ...(isOpen ? [TIME_LEFT] : USED)]} isPlain>
      {run.step_counts.map((step) => (
        <StepRow key={step.step} step={step} isOpen={isOpen}>
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
    <td className="whitespace-nowrap text-soft max-md:hidden md:w-28" title={forecast && basisOf(forecast)}>
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
        className="number whitespace-nowrap max-md:hidden"
        title={time === null ? "" : `Median of ${ofJobs(time.jobs)}`}
      >
        {time !== null && formatDuration(time.p50)}
      </td>
      <td
        className="number whitespace-nowrap max-md:hidden"
        title={ram === null ? "" : memoryTitle(ram.jobs, requested)}
      >
        {ram !== null && formatBytes(ram.max)}
      </td>
    </>
  );
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

interface StepRowProps {
  readonly step: StepCounts;
  readonly isOpen: boolean;
  /** The last cells. */
  readonly children: ReactNode;
}

function StepRow({ step, isOpen, children }: StepRowProps) {
  const { job_counts: counts, jobs_total: total } = step;
  return (
    <tr>
      <td className="md:w-1/2 md:max-w-0">
        <Link
          className="link block w-fit max-w-full truncate font-medium"
          title={step.step}
          to={`?tab=jobs&step=${encodeURIComponent(step.step)}`}
        >
          {step.label ?? (step.step === "" ? "Tool" : step.step)}
        </Link>
      </td>
      <td className="md:w-1/4">
        <div className="min-w-20 max-md:flex-1">
          <JobProgressBar counts={counts} total={total} className="h-1.5" />
          <p className="mt-0.5 text-small whitespace-nowrap text-soft tabular-nums">
            {total === 0 ? (isOpen ? "not yet" : "not run") : doneText(step)}
          </p>
        </div>
      </td>
      {children}
    </tr>
  );
}

/** `5 of 6, 1 failed`: the jobs that succeeded, and the most important other state. */
function doneText({ job_counts: counts, jobs_cached: cached, ...step }: StepCounts): string {
  const done = `${numberText(counts.COMPLETE ?? 0)} of ${numberText(step.jobs_total)}${step.jobs_total_is_final ? "" : "+"}`;
  const failed = FAILED_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
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
