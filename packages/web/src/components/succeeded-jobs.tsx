import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { numberText, pluralOf } from "../format/count-text.ts";

/** `3 of 6 jobs succeeded`: failed and aborted jobs are not among the first number. */
export function SucceededJobs({ run }: { readonly run: Pick<RunSummary, "job_counts" | "progress"> }) {
  const { jobs_total: total, jobs_total_is_final: isFinal } = run.progress;
  return (
    <span>
      {numberText(run.job_counts.COMPLETE ?? 0)} of {numberText(total)}
      {isFinal ? "" : "+"} {pluralOf("job", total)} succeeded
    </span>
  );
}
