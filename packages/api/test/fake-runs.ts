import { EventEmitter, once } from "node:events";
import type { Caller, CreateRunRequest, EngineRuns, RetryRunRequest } from "@weft/engine/engine.ts";
import type { Job, JobSummary } from "@weft/shared/records/job-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CreateRun, RetryRun, Run, RunStatus, RunSummary } from "@weft/shared/records/run-record.ts";
import type { JobState, RunState } from "@weft/shared/records/state.ts";
import type { FakeEvents } from "./fake-events.ts";

const TIME = "2026-11-21T02:02:14.617Z";

interface FakeRun {
  readonly id: string;
  readonly body: CreateRun;
  readonly owner: string;
  state: RunState;
  revision: number;
}

/** Runs that change their state when a test says so. Every run has one job, `smooth.0`. */
export class FakeRuns implements EngineRuns {
  readonly #events: FakeEvents;
  readonly #runs: FakeRun[] = [];
  readonly #keys = new Map<string, { readonly runId: string; readonly body: string }>();
  readonly #changes = new EventEmitter();
  /** Tells by `begin` and `end` when somebody waits for a change. */
  readonly waits = new EventEmitter();
  /** What an abort leads to: CANCELED when the proof comes in time, CANCELING while it is outstanding. */
  abortEndsAs: RunState = "CANCELED";
  /** Of the one job of every run. */
  jobState: JobState = "RUNNING";
  /** Thrown by `list`: a bug, as far as the API can tell. */
  listFailure: Error | undefined;

  constructor(events: FakeEvents) {
    this.#events = events;
  }

  async create(
    caller: Caller,
    { body, idempotencyKey, fingerprint = body }: CreateRunRequest,
  ): Promise<{ readonly run: Run; readonly replayed: boolean }> {
    const key = idempotencyKey === undefined ? undefined : `${caller.principal} ${idempotencyKey}`;
    const known = key === undefined ? undefined : this.#keys.get(key);
    if (known !== undefined) {
      if (known.body !== JSON.stringify(fingerprint))
        throw new Refusal("idempotency-key-reused", "The key was used with another body");
      return { run: this.get(caller, known.runId), replayed: true };
    }
    const process = body.network ?? body.tool;
    if (process !== "imaging-cohort" && process !== "smooth")
      throw new Refusal("network-not-found", `There is no network ${process}`);
    const run = this.add(body, caller.principal);
    if (key !== undefined) this.#keys.set(key, { runId: run.id, body: JSON.stringify(fingerprint) });
    return { run: this.get(caller, run.id), replayed: false };
  }

  get count(): number {
    return this.#runs.length;
  }

  add(body: CreateRun = { network: "imaging-cohort" }, owner = "local"): FakeRun {
    const run: FakeRun = {
      id: `019a9c5e-7b1a-7cc0-8000-${String(this.#runs.length + 1).padStart(12, "0")}`,
      body,
      owner,
      state: "RUNNING",
      revision: 1,
    };
    this.#runs.push(run);
    this.#events.owners.set(run.id, owner);
    this.#events.append(run.id);
    return run;
  }

  change(runId: string, state: RunState): void {
    const run = this.#find(runId);
    run.state = state;
    run.revision += 1;
    this.#events.append(runId);
    this.#changes.emit(runId);
  }

  async plan(caller: Caller, body: CreateRun): Promise<Plan> {
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

  async retry(
    caller: Caller,
    runId: string,
    { body, idempotencyKey }: RetryRunRequest,
  ): Promise<{ readonly run: Run; readonly replayed: boolean }> {
    const row = this.#endedRun(runId, caller);
    const again = { ...row.body, inputs: { ...row.body.inputs, ...body.inputs } };
    return this.create(caller, { body: again, idempotencyKey, fingerprint: { runId, body } });
  }

  async planRetry(caller: Caller, runId: string, body: RetryRun): Promise<Plan> {
    return this.plan(caller, { ...this.#endedRun(runId, caller).body, ...(body.inputs && { inputs: body.inputs }) });
  }

  list(
    caller: Caller,
    { state }: { readonly state?: readonly RunState[] | undefined } = {},
  ): { runs: RunSummary[]; total: number; next_page_token: string } {
    if (this.listFailure !== undefined) throw this.listFailure;
    const visible = this.#runs.filter((run) => isVisible(run, caller) && (state?.includes(run.state) ?? true));
    return { runs: visible.map((run) => summaryOf(caller, run)), total: visible.length, next_page_token: "" };
  }

  get(caller: Caller, runId: string): Run {
    const run = this.#find(runId, caller);
    return {
      ...summaryOf(caller, run),
      inputs: run.body.inputs ?? {},
      options: run.body.options ?? {},
      samples: [],
      step_counts: [
        { step: "smooth", jobs_total: 1, jobs_total_is_final: true, jobs_cached: 0, job_counts: { RUNNING: 1 } },
      ],
      outputs: null,
      abort: null,
      relations: { retry_of: null, retried_by: [], newest: null },
      storage: null,
      pruned: [],
      links: { events: caller.links.runPart(runId, "events") },
    };
  }

  status(runId: string, caller?: Caller): RunStatus {
    const { id, state, revision } = this.#find(runId, caller);
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

  async waitForChange(runId: string, revision: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#find(runId).revision !== revision) return;
    this.waits.emit("begin");
    await once(this.#changes, runId, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }).catch(
      () => undefined,
    );
    this.waits.emit("end");
  }

  async pause(caller: Caller, runId: string): Promise<RunStatus> {
    this.#requireChangeable(runId, caller);
    if (this.#find(runId).state !== "RUNNING") throw new Refusal("conflict", "The run has ended");
    this.change(runId, "PAUSED");
    return this.status(runId);
  }

  async resume(caller: Caller, runId: string): Promise<RunStatus> {
    this.#requireChangeable(runId, caller);
    if (this.#find(runId).state === "PAUSED") this.change(runId, "RUNNING");
    return this.status(runId);
  }

  async abort(caller: Caller, runId: string): Promise<RunStatus> {
    this.#requireChangeable(runId, caller);
    if (this.#find(runId).state === "RUNNING") this.change(runId, this.abortEndsAs);
    return this.status(runId);
  }

  jobs(caller: Caller, runId: string): { jobs: JobSummary[]; total: number; next_page_token: string } {
    this.#find(runId, caller);
    return { jobs: [jobSummary(caller, runId)], total: 1, next_page_token: "" };
  }

  job(caller: Caller, runId: string, jobId: string): Job {
    this.#find(runId, caller);
    if (jobId !== "smooth.0") throw new Refusal("job-not-found", `There is no job ${jobId}`);
    const log = (stream: "stdout" | "stderr") => ({ url: caller.links.jobLog(runId, jobId, stream), size: 12 });
    return {
      ...jobSummary(caller, runId),
      state: this.jobState,
      tool: { id: "smooth", version: "2.0.0", class: "CommandLineTool", url: caller.links.tool("smooth", "2.0.0") },
      attempts: [],
      command: { argv: ["smooth", "a.nii"], workdir: "/work", env: {} },
      resources: {
        requested: { cores: 1, ram_bytes: 1024 },
        used: {
          ...{ cpu_ms: null, max_rss_bytes: null, memory_source: null, io_read_bytes: null, io_write_bytes: null },
        },
      },
      backend: { kind: "local", native_id: "4711", reason: null },
      cache: { decision: "miss", reason: "nothing of this step has run before", diff: [] },
      inputs: {},
      outputs: null,
      logs: { stdout: log("stdout"), stderr: log("stderr") },
    };
  }

  outputs(caller: Caller, runId: string): { run_id: string; outputs: Record<string, unknown> | null } {
    return { run_id: this.#find(runId, caller).id, outputs: null };
  }

  provenance(caller: Caller, runId: string): Readonly<Record<string, unknown>> {
    return { prefix: {}, activity: { [this.#find(runId, caller).id]: {} } };
  }

  async reproduce(caller: Caller, runId: string): Promise<Run> {
    return this.get(caller, this.#find(runId).id);
  }

  findFiles(caller: Caller): ReturnType<EngineRuns["findFiles"]> {
    const run = this.#runs.find((candidate) => isVisible(candidate, caller));
    if (run === undefined) return { files: [], total: 0, next_page_token: "" };
    const where = {
      run_id: run.id,
      run_url: caller.links.run(run.id),
      process: "imaging-cohort",
      job_id: null,
      step: null,
      sample_id: null,
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
    } as const;
    return { files: [{ ...where, ...what }], total: 1, next_page_token: "" };
  }

  #requireChangeable(runId: string, caller: Caller): void {
    const { owner } = this.#find(runId, caller);
    if (caller.othersRuns !== undefined && owner !== caller.principal)
      throw new Refusal("forbidden", `The run belongs to ${owner}`);
  }

  #endedRun(runId: string, caller: Caller): FakeRun {
    const run = this.#find(runId, caller);
    if (run.state === "RUNNING") throw new Refusal("conflict", "The run is still going on");
    return run;
  }

  #find(runId: string, caller?: Caller): FakeRun {
    const run = this.#runs.find((candidate) => candidate.id === runId && isVisible(candidate, caller));
    if (run === undefined) throw new Refusal("run-not-found", `There is no run ${runId}`);
    return run;
  }
}

function isVisible({ owner }: FakeRun, caller: Caller | undefined): boolean {
  return caller?.othersRuns !== "hidden" || owner === caller.principal;
}

const PROGRESS = { jobs_total: 1, jobs_total_is_final: true, jobs_done: 0, jobs_cached: 0, fraction: 0, eta: null };

function summaryOf(caller: Caller, run: FakeRun): RunSummary {
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
    progress: PROGRESS,
    job_counts: { RUNNING: 1 },
  };
}

function jobSummary(caller: Caller, runId: string): JobSummary {
  return {
    job_id: "smooth.0",
    run_id: runId,
    url: caller.links.job(runId, "smooth.0"),
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
  };
}
