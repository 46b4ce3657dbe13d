import { EventEmitter, once } from "node:events";
import type {
  Caller,
  CreateRunRequest,
  EngineRuns,
  HashedText,
  ListedJob,
  RetryRunRequest,
  TableQuestion,
  ValuePlaces,
} from "@weft/engine/port/engine.ts";
import type { Job, JobList } from "@weft/shared/records/job-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type {
  CreateRun,
  DescribedRuns,
  DescribeRun,
  DescribeRuns,
  OmittedValues,
  RetryRun,
  Run,
  RunStatus,
  RunSummary,
} from "@weft/shared/records/run-record.ts";
import type { JobState, RunState } from "@weft/shared/records/state.ts";
import type { FakeEvents } from "./fake-events.ts";
import {
  JOB_ID,
  fileRecord,
  jobRecord,
  jobSummaryRecord,
  jobTimesRecord,
  planRecord,
  runRecord,
  statusRecord,
  summaryRecord,
} from "./fake-run-records.ts";
import type { FakeRun } from "./fake-run-records.ts";

/** Runs that change their state when a test says so. Every run has one job, of the id `JOB_ID`. */
export class FakeRuns implements EngineRuns {
  readonly #events: FakeEvents;
  readonly #runs: FakeRun[] = [];
  readonly #keys = new Map<string, { readonly runId: string; readonly body: string }>();
  readonly #changes = new EventEmitter();
  /** Tells by `begin` and `end` when someone waits for a change. */
  readonly waits = new EventEmitter();
  /** What an abort leads to: CANCELED when the proof comes in time, CANCELING while it is outstanding. */
  abortEndsAs: RunState = "CANCELED";
  /** State of the only job of every run. */
  jobState: JobState = "RUNNING";
  /** What the records of all runs leave out. */
  omitted: OmittedValues | undefined;
  /** Names that all runs were given for their samples, by input. */
  sampleNames: Record<string, string[]> | undefined;
  /** Thrown by `list`: a bug, as far as the API can tell. */
  listFailure: Error | undefined;

  constructor(events: FakeEvents) {
    this.#events = events;
  }

  async create(
    caller: Caller,
    { body, idempotencyKey, fingerprint = body, wes }: CreateRunRequest,
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
    run.wes = wes;
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
    return planRecord(caller, body);
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
    return { runs: visible.map((run) => summaryRecord(caller, run)), total: visible.length, next_page_token: "" };
  }

  get(caller: Caller, runId: string): Run {
    const names = this.sampleNames === undefined ? {} : { sample_names: this.sampleNames };
    const run = { ...runRecord(caller, this.#find(runId, caller)), ...names };
    return this.omitted === undefined ? run : { ...run, inputs: null, outputs: null, omitted: this.omitted };
  }

  status(caller: Caller, runId: string): RunStatus {
    return statusRecord(this.#find(runId, caller));
  }

  async waitForChange(
    caller: Caller,
    runId: string,
    { revision, timeoutMs, signal }: Parameters<EngineRuns["waitForChange"]>[2],
  ): Promise<void> {
    if (this.#find(runId, caller).revision !== revision) return;
    this.waits.emit("begin");
    await once(this.#changes, runId, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }).catch(
      () => undefined,
    );
    this.waits.emit("end");
  }

  async describeAll(_caller: Caller, { run_ids: ids }: DescribeRuns): Promise<DescribedRuns> {
    return { changed: ids.length, refused: [] };
  }

  async describe(caller: Caller, runId: string, { name, tags }: DescribeRun): Promise<Run> {
    this.#requireChangeable(runId, caller);
    const run = this.#find(runId, caller);
    run.body = { ...run.body, ...(name === undefined ? {} : { name }), ...(tags === undefined ? {} : { tags }) };
    return this.get(caller, runId);
  }

  async pause(caller: Caller, runId: string): Promise<RunStatus> {
    this.#requireChangeable(runId, caller);
    if (this.#find(runId, caller).state !== "RUNNING") throw new Refusal("conflict", "The run has ended");
    this.change(runId, "PAUSED");
    return this.status(caller, runId);
  }

  async resume(caller: Caller, runId: string): Promise<RunStatus> {
    this.#requireChangeable(runId, caller);
    if (this.#find(runId, caller).state === "PAUSED") this.change(runId, "RUNNING");
    return this.status(caller, runId);
  }

  async abort(caller: Caller, runId: string): Promise<RunStatus> {
    this.#requireChangeable(runId, caller);
    if (this.#find(runId, caller).state === "RUNNING") this.change(runId, this.abortEndsAs);
    return this.status(caller, runId);
  }

  jobs(caller: Caller, runId: string): { jobs: ListedJob[]; total: number; next_page_token: string } {
    this.#find(runId, caller);
    const { command } = jobRecord(caller, runId);
    return {
      jobs: [{ ...jobSummaryRecord(caller, runId), ...(command && { command }) }],
      total: 1,
      next_page_token: "",
    };
  }

  async jobTable(caller: Caller, runId: string): Promise<JobList> {
    this.#find(runId, caller);
    return { jobs: [jobSummaryRecord(caller, runId)], total: 1, next_page_token: "" };
  }

  async jobTimes(caller: Caller, runId: string): Promise<HashedText> {
    this.#find(runId, caller);
    return { bytes: Buffer.from(JSON.stringify(jobTimesRecord())), sha256: "0".repeat(43) };
  }

  job(caller: Caller, runId: string, jobId: string): Job {
    this.#find(runId, caller);
    if (jobId !== JOB_ID) throw new Refusal("job-not-found", `There is no job ${jobId}`);
    return { ...jobRecord(caller, runId), state: this.jobState };
  }

  async outputs(caller: Caller, runId: string): ReturnType<EngineRuns["outputs"]> {
    const { id } = this.#find(runId, caller);
    return { run_id: id, outputs: null, partial: false, missing: [], missing_total: 0 };
  }

  samples(caller: Caller, runId: string) {
    const { id } = this.#find(runId, caller);
    return { run_id: id, steps: [], samples: [], total: 0, next_page_token: "" };
  }

  async results(caller: Caller, runId: string, { from = 0 }: { readonly from?: number | undefined }) {
    const { id } = this.#find(runId, caller);
    return { run_id: id, partial: false, columns: [], rows: [], from, total: 0 };
  }

  /** A table without rows. */
  async table(caller: Caller, runIds: readonly [string, ...string[]], question: TableQuestion): Promise<HashedText> {
    const runs = runIds.map((runId) => ({ run_id: this.#find(runId, caller).id, name: "" }));
    const none = { runs, unread: [], unread_total: 0 };
    const json = {
      fields: { ...none, samples: 0, examined: 0, fields: [], truncated: false },
      page: { ...none, columns: [], rows: [], from: 0, total: 0 },
      export: {},
    }[question.what];
    return { bytes: Buffer.from(JSON.stringify(json)), sha256: "0".repeat(43) };
  }

  /** Puts the name of the value at each place. */
  async filled(caller: Caller, runId: string, record: object, places: ValuePlaces): Promise<HashedText> {
    this.#find(runId, caller);
    const value = (key: string) => Object.entries(places).find(([, keys]) => keys.at(-1) === key)?.[0];
    const text = JSON.stringify(record, (key, found: unknown) => {
      const name = value(key);
      return name === undefined ? found : { is: name };
    });
    return { bytes: Buffer.from(text), sha256: "0".repeat(43) };
  }

  async largeOutputs(caller: Caller, runId: string): Promise<HashedText | undefined> {
    const { run_id: id } = this.get(caller, runId);
    if (this.omitted?.outputs_bytes === undefined) return undefined;
    const whole = { run_id: id, outputs: null, partial: false, missing: [], missing_total: 0 };
    return this.filled(caller, id, whole, { outputs: ["outputs"] });
  }

  async reproduce(caller: Caller, runId: string): Promise<Run> {
    return this.get(caller, this.#find(runId, caller).id);
  }

  async findFiles(caller: Caller): ReturnType<EngineRuns["findFiles"]> {
    const run = this.#runs.find((candidate) => isVisible(candidate, caller));
    if (run === undefined) return { files: [], total: 0, next_page_token: "" };
    return { files: [fileRecord(caller, run)], total: 1, next_page_token: "" };
  }

  names(caller: Caller, runIds: readonly string[]): Readonly<Record<string, string>> {
    const found = this.#runs.filter((run) => runIds.includes(run.id) && isVisible(run, caller));
    return Object.fromEntries(found.map((run) => [run.id, summaryRecord(caller, run).name]));
  }

  #requireChangeable(runId: string, caller: Caller): void {
    const { owner } = this.#find(runId, caller);
    if (caller.othersRuns !== "changeable" && owner !== caller.principal)
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
  return caller === undefined || caller.othersRuns !== "hidden" || owner === caller.principal;
}
