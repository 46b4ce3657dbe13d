import type { Run } from "@weft/shared/records/run-record.ts";

/** The record of a run that succeeded, with some changes. */
export function runRecord(run_id: string, change: Partial<Run> = {}): Run {
  const time = "2026-11-21T10:00:00.000Z";
  return {
    run_id,
    url: "",
    run: "",
    status: "",
    name: run_id,
    network: { id: "cohort", version: null, digest: "sha256:1", url: "" },
    state: "COMPLETE",
    outcome: "success",
    state_reason: null,
    created_at: time,
    start_time: time,
    end_time: time,
    duration_ms: 1000,
    revision: 1,
    owner: "local",
    archived: false,
    pinned: false,
    tags: {},
    progress: { jobs_total: 1, jobs_total_is_final: true, jobs_done: 1, jobs_cached: 0, fraction: 1, eta: null },
    job_counts: { COMPLETE: 1 },
    inputs: {},
    options: {},
    note: "",
    samples: [],
    step_counts: [],
    outputs: {},
    partial: false,
    abort: null,
    relations: { retry_of: null, retried_by: [], newest: null },
    storage: null,
    pruned: [],
    links: {},
    ...change,
  };
}
