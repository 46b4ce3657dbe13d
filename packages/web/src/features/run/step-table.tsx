import type { StepCounts } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { FAILED_STATES } from "../../format/state-look.ts";
import { JobProgressBar } from "../../ui/job-progress-bar.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";

const CANCELLED: Column = { label: "Cancelled", number: true };

const COLUMNS: readonly Column[] = [
  { label: "Step" },
  { label: "Progress" },
  { label: "Jobs", number: true },
  { label: "Running", number: true },
  { label: "Succeeded", number: true },
  { label: "Cached", number: true },
  { label: "Failed", number: true },
];

/** How many jobs of each step are in which state. */
export function StepTable({ steps }: { readonly steps: readonly StepCounts[] }) {
  // Few runs have such jobs; those that do must not look as if jobs were missing.
  const hasCancelled = steps.some(({ job_counts }) => (job_counts.CANCELED ?? 0) > 0);
  return (
    <DataTable caption="Steps of the run" columns={hasCancelled ? [...COLUMNS, CANCELLED] : COLUMNS}>
      {steps.map((step) => (
        <StepRow key={step.step} step={step} hasCancelled={hasCancelled} />
      ))}
    </DataTable>
  );
}

function StepRow({ step, hasCancelled }: { readonly step: StepCounts; readonly hasCancelled: boolean }) {
  return (
    <tr>
      <td>
        <Link className="link font-medium" to={`?tab=jobs&step=${encodeURIComponent(step.step)}`}>
          {step.step === "" ? "The tool" : step.step}
        </Link>
        {step.label !== undefined && <span className="ml-2 text-soft">{step.label}</span>}
      </td>
      <td data-label="Progress" className="md:w-1/3">
        <JobProgressBar counts={step.job_counts} total={step.jobs_total} />
      </td>
      <td data-label="Jobs" className="number">
        {step.jobs_total}
        {step.jobs_total_is_final ? "" : "+"}
      </td>
      <td data-label="Running" className="number">
        {(step.job_counts.RUNNING ?? 0) + (step.job_counts.INITIALIZING ?? 0)}
      </td>
      <td data-label="Succeeded" className="number">
        {step.job_counts.COMPLETE ?? 0}
      </td>
      <td data-label="Cached" className="number">
        {step.jobs_cached}
      </td>
      <td data-label="Failed" className="number">
        {FAILED_STATES.reduce((sum, state) => sum + (step.job_counts[state] ?? 0), 0)}
      </td>
      {hasCancelled && (
        <td data-label="Cancelled" className="number">
          {step.job_counts.CANCELED ?? 0}
        </td>
      )}
    </tr>
  );
}
