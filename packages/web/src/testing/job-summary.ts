import type { JobSummary } from "@weft/shared/records/job-record.ts";

/** The n-th job of a step with a job per sample, which ran for n milliseconds. The fourth one failed. */
export function jobSummary(n: number): JobSummary {
  const time = new Date(n * 1000).toISOString();
  return {
    job_id: `measure.${n}`,
    run_id: "r",
    url: "",
    step: "measure",
    sample_id: `sub-${n}`,
    scatter_index: [n],
    state: n === 3 ? "EXECUTOR_ERROR" : "COMPLETE",
    phase: "ended",
    state_reason: null,
    attempt: 1,
    exit_code: n === 3 ? 1 : 0,
    signal: null,
    timing: { queued_at: time, started_at: time, ended_at: time, queued_ms: 0, running_ms: n },
    cached: false,
    cache_decision: "miss",
    resources: {
      requested: { cores: 1, ram_bytes: 2 ** 30 },
      used: { cpu_ms: n, max_rss_bytes: n, memory_source: null, io_read_bytes: null, io_write_bytes: null },
    },
    backend: { kind: "local", native_id: String(n), reason: null },
  };
}
