import type { Caller } from "@weft/engine/port/engine.ts";
import type { Job, JobSummary, JobTimesPart } from "@weft/shared/records/job-record.ts";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CreateRun, Run, RunStatus, RunSummary } from "@weft/shared/records/run-record.ts";
import type { RunState } from "@weft/shared/records/state.ts";

/** What is known of a run; all else in its records is the same for every run. */
export interface FakeRun {
  readonly id: string;
  body: CreateRun;
  readonly owner: string;
  state: RunState;
  revision: number;
  wes?: Run["wes"] | undefined;
}

/** Id of the only job of every run. */
export const JOB_ID = "smooth.0";

const TIME = "2026-11-21T02:02:14.617Z";
const PROGRESS = { jobs_total: 1, jobs_total_is_final: true, jobs_done: 0, jobs_cached: 0, fraction: 0, eta: null };

export function summaryRecord(caller: Caller, run: FakeRun): RunSummary {
  return {
    run_id: run.id,
    url: caller.links.run(run.id),
    run: caller.links.run(run.id),
    status: caller.links.runStatus(run.id),
    name: run.body.name ?? "imaging-cohort",
    network: { id: "imaging-cohort", version: null, digest: "sha256:00", url: caller.links.network("imaging-cohort") },
    state: run.state,
    outcome: null,
    state_reason: null,
    created_at: TIME,
    start_time: TIME,
    end_time: null,
    duration_ms: null,
    revision: run.revision,
    owner: run.owner,
    tags: run.body.tags ?? {},
    archived: false,
    pinned: false,
    progress: PROGRESS,
    job_counts: { RUNNING: 1 },
  };
}

export function runRecord(caller: Caller, run: FakeRun): Run {
  return {
    ...summaryRecord(caller, run),
    inputs: run.body.inputs ?? {},
    options: run.body.options ?? {},
    note: "",
    samples: [],
    step_counts: [
      { step: "smooth", jobs_total: 1, jobs_total_is_final: true, jobs_cached: 0, job_counts: { RUNNING: 1 } },
    ],
    outputs: null,
    partial: false,
    abort: null,
    relations: { retry_of: null, retried_by: [], newest: null },
    storage: null,
    pruned: [],
    ...(run.wes && { wes: run.wes }),
    links: { events: caller.links.runPart(run.id, "events") },
  };
}

export function statusRecord({ id, state, revision }: FakeRun): RunStatus {
  return {
    run_id: id,
    state,
    outcome: null,
    state_reason: null,
    job_counts: { RUNNING: 1 },
    progress: PROGRESS,
    revision,
    updated_at: TIME,
  };
}

export function jobSummaryRecord(caller: Caller, runId: string): JobSummary {
  return {
    job_id: JOB_ID,
    run_id: runId,
    url: caller.links.job(runId, JOB_ID),
    step: "smooth",
    sample_id: "sub-01",
    scatter_index: [0],
    state: "RUNNING",
    phase: "running",
    state_reason: null,
    attempt: 1,
    exit_code: null,
    signal: null,
    timing: { queued_at: TIME, started_at: TIME, ended_at: null, queued_ms: 4, running_ms: null },
    cached: false,
    cache_decision: "miss",
    resources: {
      requested: { cores: 1, ram_bytes: 1024 },
      used: {
        ...{ cpu_ms: null, max_rss_bytes: null, memory_source: null, io_read_bytes: null, io_write_bytes: null },
      },
    },
    backend: { kind: "local", native_id: "4711", reason: null },
  };
}

export function jobTimesRecord(): JobTimesPart {
  return {
    origin: TIME,
    steps: ["smooth"],
    samples: ["sub-01"],
    jobs: {
      ...{ job_id: [JOB_ID], step: [0], sample: [0], state: ["RUNNING"], attempt: [1], cached: [false] },
      ...{ queued: [0], started: [4], ended: [null], cores: [1], ram_bytes: [1024], max_rss_bytes: [null] },
    },
    total: 1,
    next: null,
  };
}

export function jobRecord(caller: Caller, runId: string): Job {
  const log = (stream: "stdout" | "stderr") => ({ url: caller.links.jobLog(runId, JOB_ID, stream), size: 12 });
  return {
    ...jobSummaryRecord(caller, runId),
    tool: { id: "smooth", version: "2.0.0", class: "CommandLineTool", url: caller.links.tool("smooth", "2.0.0") },
    attempts: [],
    command: { argv: ["smooth", "a.nii"], workdir: "/work", env: {} },
    cache: { decision: "miss", reason: "this step has not run before", diff: [] },
    inputs: {},
    outputs: null,
    logs: { stdout: log("stdout"), stderr: log("stderr") },
  };
}

/** The plan of a run that nobody has started. */
export function planRecord(caller: Caller, body: CreateRun): Plan {
  const network = {
    id: "imaging-cohort",
    version: null,
    digest: "sha256:00",
    url: caller.links.network("imaging-cohort"),
  };
  const command = { argv: ["smooth", "a.nii"], workdir: "/work", env: { LANG: "C" } };
  const job = {
    step: "smooth",
    sample_id: "sub-01",
    scatter_index: [0],
    command,
    container: { image: "smooth:2", engine: "podman" as const, version: "5.0", digest: null },
    resources: { cores: 1, ram_bytes: 1024 },
    cache: { decision: "off" as const, reason: "nothing runs here", diff: [] },
  };
  return {
    network,
    inputs: body.inputs ?? {},
    steps: [{ step: "smooth", jobs_total: 1, jobs_total_is_final: true, unknown_because: [] }],
    jobs: [job],
    jobs_shown_of: 1,
  };
}

/** An output that the run has. */
export function fileRecord(caller: Caller, run: FakeRun): FileOccurrence {
  const where = {
    run_id: run.id,
    run_url: caller.links.run(run.id),
    run_name: "Imaging cohort",
    process: "imaging-cohort",
    job_id: null,
    step: null,
    sample_id: null,
    tool: null,
  };
  const what = {
    direction: "output",
    class: "File",
    port: "report",
    place: "",
    name: "report.html",
    checksum: "sha1$00",
    sha256: null,
    size: 3,
    time: TIME,
    source_job_id: null,
    url: null,
    origin: null,
    read_by_runs: 0,
  } as const;
  return { ...where, ...what };
}
