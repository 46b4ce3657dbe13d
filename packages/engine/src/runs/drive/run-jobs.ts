import type { Call } from "@weft/cwl/workflow/advance.ts";
import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { Turns } from "../../async/give-way.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { AttemptState } from "../../executor/executor.ts";
import { attemptFolder } from "../../files/attempt-folder.ts";
import { removeBelowTrusted } from "../../files/beneath/open-folder.ts";
import { EarlierResults } from "../../jobs/cache/earlier-results.ts";
import type { ComparedJob, ReuseLookup } from "../../jobs/cache/earlier-results.ts";
import { reuseJob } from "../../jobs/cache/reuse-job.ts";
import { queuedEvent } from "../../jobs/job-events.ts";
import type { JobEnd } from "../../jobs/job-events.ts";
import { jobIdOf } from "../../jobs/job-id.ts";
import type { Job, JobOutcome, StartedBefore } from "../../jobs/job.ts";
import type { KillLedger } from "../../jobs/kill-ledger.ts";
import { prepareJob } from "../../jobs/prepare-job.ts";
import type { PrepareServices } from "../../jobs/prepare-job.ts";
import { recordedOutcome, recordEnd, recordFailedJob, recordRetry } from "../../jobs/record-end.ts";
import { runJob } from "../../jobs/run-job.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import type { JobRow } from "../../journal/rows.ts";
import { describeTool } from "./describe-tool.ts";
import { JobRetries } from "./job-retries.ts";
import type { AttemptIdentity, RetryServices } from "./job-retries.ts";
import { QueuedJob } from "./queued-job.ts";
import type { QueuedJobServices } from "./queued-job.ts";
import type { RunContext } from "./run-context.ts";
import type { RunFetch } from "./run-fetch.ts";
import type { JobMessage } from "./run-message.ts";
import { stopJobs } from "./stop-jobs.ts";
import type { StopServices } from "./stop-jobs.ts";

/** One attempt at a job, as it begins. */
interface Attempt {
  readonly call: Call;
  readonly identity: AttemptIdentity;
  /** Present if an earlier server started it and it is to be reattached. */
  readonly startedBefore?: (StartedBefore & Pick<JobRow, "cache"> & { readonly backend: BackendKind }) | undefined;
  /** Attempts of the job so far that ran out of memory. */
  readonly outOfMemory: number;
  /** Attempts that a restart of the server removed before they started; they do not count as attempts. */
  readonly unstarted: number;
  /** Delay before it begins; absent: no delay. */
  readonly delayMs?: number | undefined;
}

export interface JobsServices extends QueuedJobServices, PrepareServices, ReuseLookup, RetryServices, StopServices {}

type JobsRun = Pick<RunContext, "runId" | "options" | "place" | "formats" | "recorded" | "original" | "jobsRecorded">;

interface Surroundings {
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
  readonly fetch: RunFetch;
  readonly catalog: Catalog | undefined;
  readonly services: JobsServices;
}

/**
 * The jobs of one run. Each passes through the same steps (`#attempt`): queued in the log, inputs fetched, prepared,
 * compared with earlier results, submitted to the scheduler, run, and retried after a failure. A recorded job is
 * replayed or reattached. Only the end of a job is posted; the reader of the mailbox decides what follows.
 */
export class RunJobs {
  readonly #run: JobsRun;
  readonly #signal: AbortSignal;
  readonly #fetch: RunFetch;
  readonly #catalog: Catalog | undefined;
  readonly #services: JobsServices;
  readonly #post: (message: JobMessage) => void;
  /** Jobs whose end the reader has not handled yet. */
  readonly #jobs = new Map<string, Promise<void>>();
  /** Those that wait for the scheduler. */
  readonly #waiting = new Map<string, QueuedJob>();
  /** Those that have had their turn. */
  readonly #started = new Set<QueuedJob>();
  readonly #retries: JobRetries;
  readonly #earlier: EarlierResults;
  readonly #turns = new Turns();
  /** Sequence number of the last queued job. An earlier server may have queued jobs in another order. */
  #lastN: number;
  #startsNothing = false;
  #released = false;

  constructor(run: JobsRun, { signal, fetch, catalog, services }: Surroundings, post: (message: JobMessage) => void) {
    this.#run = run;
    this.#signal = signal;
    this.#fetch = fetch;
    this.#catalog = catalog;
    this.#services = services;
    this.#post = post;
    this.#retries = new JobRetries(run.options, services);
    this.#earlier = new EarlierResults(run, signal, services);
    this.#lastN = run.jobsRecorded ?? 0;
    signal.addEventListener("abort", () => this.#started.forEach((job) => job.stop()), { once: true });
  }

  /** Jobs that have begun and whose end the reader has not handled yet. */
  get running(): number {
    return this.#jobs.size - this.#waiting.size;
  }

  /** Jobs that wait for the scheduler. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async submit(calls: readonly Call[]): Promise<void> {
    const jobs = calls.map((call) => {
      const row = this.#run.recorded(call.id);
      return { call, row, n: row?.n ?? ++this.#lastN };
    });
    const { runId } = this.#run;
    const fresh = jobs
      .filter(({ row }) => row === undefined)
      .map(({ call, n }) => queuedEvent(call, { runId, n, tool: this.#toolOf(call) }));
    // The run was aborted before they were recorded.
    if (fresh.length > 0 && !(await recordBeginning(fresh, this.#services.journal, this.#signal))) return;
    this.#turns.begin();
    for (const { call, row, n } of jobs) {
      if (this.#signal.aborted) return;
      await this.#submitOne(call, row?.jobId ?? jobIdOf(call.id, n), row);
      await this.#turns.giveWay();
    }
  }

  /**
   * The calls with jobs that an earlier server has begun, for a run in which nothing more may start: those that run
   * continue, and others may have begun after those that have ended.
   */
  begunBefore(calls: readonly Call[]): readonly Call[] {
    return calls.filter(({ id }) => {
      const row = this.#run.recorded(id);
      return row !== undefined && (row.startedMs !== null || isFinal(row.state));
    });
  }

  /** The reader has handled the end of a job. */
  forget(jobId: string): void {
    this.#jobs.delete(jobId);
  }

  /** Nothing that waits will start, and no failure is retried; running jobs continue. */
  startNothingMore(): void {
    this.#startsNothing = true;
    this.#services.scheduler.withdraw(this.#run.runId);
    this.#retries.end();
    for (const [jobId, queued] of this.#waiting) {
      if (queued.isGranted) continue;
      const discarded = queued.discard();
      if (discarded === undefined) this.#jobs.delete(jobId);
      else this.#jobs.set(jobId, this.#endDiscarded(jobId, discarded));
    }
    this.#waiting.clear();
  }

  /** Detaches from them. */
  release(): void {
    this.#released = true;
    this.#retries.release();
  }

  /** Starts nothing more and ends every process of the run. `signal` is aborted. */
  async stop(ledger: KillLedger): Promise<void> {
    const { runId } = this.#run;
    this.startNothingMore();
    const jobs = this.#jobs.values();
    await stopJobs({ runId, ledger, jobs, isPointless: () => this.#released }, this.#services);
  }

  async #submitOne(call: Call, jobId: string, row: JobRow | undefined): Promise<void> {
    if (row !== undefined && isFinal(row.state)) return this.#replay(call, jobId, recordedOutcome(row, this.#services));
    const first = {
      runId: this.#run.runId,
      jobId,
      step: call.step,
      sampleId: call.sampleId,
      attempt: row?.attempt ?? 1,
    };
    const found = row === undefined ? undefined : await this.#inspect(row, first);
    const isGone = found === "lost" || found === "unclaimed";
    const end = isGone ? await this.#retries.giveUp(first, found) : undefined;
    if (end !== undefined) return this.#replay(call, jobId, end);
    const retryMs = row?.retryMs ?? null;
    const attempt = {
      call,
      identity: isGone || found === "unstarted" ? { ...first, attempt: first.attempt + 1 } : first,
      startedBefore:
        row !== undefined && found === "reattach"
          ? { container: row.container, sandbox: row.sandbox, cache: row.cache, backend: backendOf(row) }
          : undefined,
      outOfMemory: timesOutOfMemory(row),
      unstarted: unstartedAttempts(row) + (found === "unstarted" ? 1 : 0),
      delayMs: retryMs === null ? undefined : this.#retries.restOfWait(retryMs),
    };
    // Fetches and retry delays run while other calls are submitted; everything else is done for one call at a time.
    const isLater = retryMs !== null || this.#fetch.isNeeded(call.inputs, call.process);
    const prepared = isLater ? undefined : await this.#prepare(attempt);
    this.#jobs.set(jobId, this.#untilEnded(attempt, prepared));
  }

  /**
   * The state of an attempt of an earlier server. Undefined: its start is not recorded, so it never ran, though it may
   * have waited for files or an image. `unstarted`: it was ready, but its preparations are lost.
   */
  async #inspect(row: JobRow, identity: AttemptIdentity): Promise<AttemptState | "unstarted" | undefined> {
    const isPrepared = row.phase === "prepared";
    if (row.startedMs === null && !isPrepared) return undefined;
    const folder = attemptFolder(this.#services.runsFolder, identity.runId, identity);
    const found = await this.#services.executor.inspect({ ...identity, folder, backend: backendOf(row) });
    if (!isPrepared || found !== "unclaimed") return found;
    await removeBelowTrusted(folder);
    return "unstarted";
  }

  /** Repeats the end of a job of an earlier server as if it happened now. */
  #replay(call: Call, jobId: string, outcome: JobOutcome): void {
    this.#jobs.set(jobId, Promise.resolve());
    this.#post({ type: "job-ended", callId: call.id, jobId, outcome });
  }

  /** A job that waited and never starts; what was prepared for it is removed. */
  async #endDiscarded(jobId: string, discarded: Promise<void>): Promise<void> {
    await discarded;
    this.#post({ type: "job-ended", callId: "", jobId, outcome: { status: "canceled" } });
  }

  async #untilEnded(first: Attempt, prepared: Job | JobOutcome | undefined): Promise<void> {
    try {
      let next = await this.#attempt(first, prepared);
      while (next !== undefined) next = await this.#attempt(next, undefined);
    } catch (error) {
      if (!this.#isLeft) this.#post({ type: "broken", error });
    }
  }

  /**
   * One attempt from its beginning to its recorded end. Returns the attempt that follows; undefined if the job has
   * ended or the run is detached. Then the mailbox has no reader any more, and the job counts as running so that the run
   * does not end without it.
   */
  async #attempt(next: Attempt, prepared: Job | JobOutcome | undefined): Promise<Attempt | undefined> {
    if (next.delayMs !== undefined) {
      if (!this.#startsNothing) await this.#retries.wait(next.identity, next.delayMs);
      if (this.#isLeft) return undefined;
      if (this.#startsNothing) return this.#end(next, await this.#retries.recordLastFailure(next.identity));
    }
    const job = prepared ?? (await this.#fetchAndPrepare(next));
    if (this.#isLeft || job === undefined) return undefined;
    if ("status" in job) return this.#end(next, job);
    if (!this.#mayBegin(next)) return this.#end(next, { status: "canceled" });
    const { job: compared, taken } = await this.#compare(next, job);
    if (this.#isLeft) return undefined;
    if (taken !== undefined)
      return this.#end(next, await untilAborted(reuseJob(compared, taken, this.#services), this.#signal));
    if (!this.#mayBegin(next)) return this.#end(next, { status: "canceled" });
    return this.#execute(next, compared);
  }

  /** A job that runs already continues, even if nothing more may start. */
  #mayBegin({ startedBefore }: Attempt): boolean {
    return !this.#startsNothing || startedBefore !== undefined;
  }

  /**
   * Posts how the job ended. Before that, and before its reservation is released, a failure prevents others from
   * starting.
   */
  #end({ call, identity: { jobId } }: Attempt, outcome: JobOutcome): undefined {
    const { on_failure: policy = DEFAULT_FAILURE_POLICY } = this.#run.options;
    if (outcome.status === "failed" && policy !== "continue") this.startNothingMore();
    this.#post({ type: "job-ended", callId: call.id, jobId, outcome });
  }

  /** The run is stopped or detached: the mailbox has no reader any more. */
  get #isLeft(): boolean {
    return this.#signal.aborted || this.#released;
  }

  /** Undefined: the run is detached. */
  async #fetchAndPrepare(next: Attempt): Promise<Job | JobOutcome | undefined> {
    const { call, identity } = next;
    try {
      await this.#fetch.fetch(call.inputs, call.process, identity);
    } catch (error) {
      return this.#isLeft ? undefined : recordFailedJob(identity, error, this.#services);
    }
    if (this.#isLeft) return undefined;
    return this.#mayBegin(next) ? this.#prepare(next) : { status: "canceled" };
  }

  /** Returns the outcome if it cannot be prepared. */
  async #prepare({ call, identity, startedBefore, outOfMemory }: Attempt): Promise<Job | JobOutcome> {
    const { formats, options, original } = this.#run;
    const memory = { policy: options.on_out_of_memory, times: outOfMemory };
    const surroundings = { services: this.#services, formats, memory, pinnedImage: original?.imageOf(call) };
    try {
      const job = await prepareJob(call, identity, { ...surroundings, backend: startedBefore?.backend });
      return startedBefore === undefined ? job : { ...job, startedBefore };
    } catch (error) {
      return recordFailedJob(identity, error, this.#services);
    }
  }

  /** Looks for an earlier result before the job waits for cores: a cache hit needs none. */
  async #compare({ call, startedBefore }: Attempt, job: Job): Promise<ComparedJob> {
    const reuse = this.#earlier.known(job, startedBefore);
    if (reuse !== undefined) return { job: { ...job, reuse }, taken: undefined };
    return untilAborted(this.#earlier.look({ call, tool: this.#toolOf(call) }, job), this.#signal);
  }

  /** Waits for the job's turn, runs it, and records its end. */
  async #execute(next: Attempt, job: Job): Promise<Attempt | undefined> {
    const queued = new QueuedJob(job, this.#services);
    this.#waiting.set(job.jobId, queued);
    await queued.turn();
    this.#waiting.delete(job.jobId);
    if (this.#released) return undefined;
    this.#started.add(queued);
    if (this.#signal.aborted) queued.stop();
    try {
      const end = await runJob(job, await queued.ready(), { services: this.#services, turn: queued });
      const retry = await this.#recordRetry(next, job, end);
      if (retry !== undefined) return retry;
      const reusable = await this.#earlier.keep(job, end);
      const outcome = await recordEnd(job, { ...end, reusable }, this.#services);
      return this.#end(next, outcome);
    } finally {
      this.#started.delete(queued);
      queued.release();
    }
  }

  /** The recorded attempt that follows a failed one; undefined if none does. */
  async #recordRetry(attempt: Attempt, job: Job, end: JobEnd): Promise<Attempt | undefined> {
    const { outcome, isTemporary = false } = end;
    if (outcome.status !== "failed" || this.#signal.aborted) return undefined;
    const { call, identity, outOfMemory, unstarted } = attempt;
    const { code } = outcome.reason;
    const failed = { attempt: job.attempt - unstarted, code, isTemporary, ramMib: job.resources.ramMin };
    const delayMs = this.#retries.delayMs(failed, job.backend);
    if (delayMs === undefined || !(await recordRetry(job, { ...end, outcome }, delayMs, this.#services)))
      return undefined;
    if (this.#isLeft) return undefined;
    return {
      call,
      identity: { ...identity, attempt: identity.attempt + 1 },
      outOfMemory: outOfMemory + (code === "OUT_OF_MEMORY" ? 1 : 0),
      unstarted,
      delayMs,
    };
  }

  #toolOf(call: Call): JobTool {
    return this.#run.original?.toolOf(call) ?? describeTool(call, this.#catalog);
  }
}

/** The backend on which an earlier server started it. */
function backendOf(row: JobRow | undefined): BackendKind {
  return BACKEND_KINDS.find((kind) => kind === row?.backend) ?? "local";
}

function unstartedAttempts(row: JobRow | undefined): number {
  return row === undefined ? 0 : row.attempt - 1 - row.attempts.length;
}

function timesOutOfMemory(row: JobRow | undefined): number {
  return row?.attempts.filter(({ reason }) => reason.code === "OUT_OF_MEMORY").length ?? 0;
}
