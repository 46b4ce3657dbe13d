import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { jobIdOf } from "./job-id.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";

interface QueuingRun {
  readonly runId: string;
  readonly describeTool: (call: Call) => JobTool;
}

/** The `n`-th job of a run is there, from 1. */
export function queuedEvent(call: Call, n: number, plan: QueuingRun): NewEvent {
  return {
    type: "job.queued",
    run_id: plan.runId,
    job_id: jobIdOf(call.id, n),
    step: call.step,
    ...(call.sampleId === undefined ? {} : { sample_id: call.sampleId }),
    actor: "engine",
    data: { call_id: call.id, n, scatter_index: call.scatterIndex, tool: plan.describeTool(call) },
  };
}
