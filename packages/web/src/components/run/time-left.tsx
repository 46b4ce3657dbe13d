import { useQuery } from "@tanstack/react-query";
import type { Estimate, Forecast } from "@weft/shared/records/insight-record.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { formatTimeLeft, laterEstimate } from "@weft/shared/text/format-time-left.ts";
import { forecastQuery } from "../../api/queries/job-queries.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { useNow } from "../../ui/time-text.tsx";

/** Time left of an open run, with its uncertainty; a tooltip states the basis. */
export function TimeLeft({ run }: { readonly run: RunSummary }) {
  const { data, dataUpdatedAt } = useQuery(forecastQuery(run));
  if (run.state !== "RUNNING" || data === undefined) return null;
  if (data.left === null) return data.unknown === null ? null : <span title={data.unknown}>Time left unknown</span>;
  return (
    <span title={basisOf(data)}>
      <EstimateText estimate={data.left} asOfMs={dataUpdatedAt} /> left
    </span>
  );
}

/** Counts down until the server's next response. */
export function EstimateText({ estimate, asOfMs }: { readonly estimate: Estimate; readonly asOfMs: number }) {
  const nowMs = useNow();
  return <>{formatTimeLeft(laterEstimate(estimate, nowMs - asOfMs))}</>;
}

function basisOf({ steps, runs_before }: Forecast): string {
  const jobs = steps.reduce((sum, step) => sum + step.jobs_of_run + step.jobs_before, 0);
  const runs = runs_before === 0 ? "this run" : `this run and ${countText(runs_before, "earlier run")}`;
  return `Between these bounds in 8 of 10 cases; from ${countText(jobs, "finished job")} of ${runs}`;
}
