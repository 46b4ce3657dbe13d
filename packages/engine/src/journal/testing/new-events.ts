import type { EventData } from "@weft/shared/events/event.ts";
import type { NewEvent } from "../journal-event.ts";

type Created = Extract<NewEvent, { readonly type: "run.created" }>;

/** The first event of a run of `actor`, of which a test gives only what matters to it. */
export function runCreated(runId: string, more: Partial<EventData<"run.created">> = {}, actor = "ann"): Created {
  const data = {
    ...({ kind: "tool", process_id: "act", process_version: null, process_digest: "sha256:0", name: runId } as const),
    ...{ document: "sha256:0", document_uri: "weft-data://catalog/x.cwl", inputs: "sha256:0" },
    ...{ tags: {}, options: {}, samples: {}, steps: [] },
    ...more,
  };
  return { type: "run.created", run_id: runId, actor, data };
}

/** Job `n` of the step `smooth` waits for its turn. */
export function jobQueued(runId: string, n: number): Extract<NewEvent, { readonly type: "job.queued" }> {
  const tool = { id: "smooth", version: "1.0.0", class: "CommandLineTool" } as const;
  const data = { call_id: `smooth[${n}]`, n, scatter_index: [n], tool };
  return { type: "job.queued", run_id: runId, job_id: `smooth-${n}`, step: "smooth", actor: "engine", data };
}

export function runEnded(runId: string, outcome: "success" | "failure" | "canceled" = "success"): NewEvent {
  const state = ({ success: "COMPLETE", failure: "EXECUTOR_ERROR", canceled: "CANCELED" } as const)[outcome];
  const data = { state, outcome, reason: null, outputs: null, files: [] };
  return { type: "run.ended", run_id: runId, actor: "engine", data };
}
