import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { jobIdOf } from "./job-id.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";

interface QueuedJob {
  readonly runId: string;
  /** Number of the job in its run, starting at 1. */
  readonly n: number;
  readonly tool: JobTool;
}

export function queuedEvent(call: Call, { runId, n, tool }: QueuedJob): NewEvent {
  return {
    type: "job.queued",
    run_id: runId,
    job_id: jobIdOf(call.id, n),
    step: call.step,
    ...(call.sampleId === undefined ? {} : { sample_id: call.sampleId }),
    actor: "engine",
    data: { call_id: call.id, n, scatter_index: call.scatterIndex, tool },
  };
}
