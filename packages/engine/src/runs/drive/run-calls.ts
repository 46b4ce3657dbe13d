import { setTimeout as pause } from "node:timers/promises";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import { BACKEND_KINDS, type BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { giveWay } from "../../async/give-way.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { AttemptState } from "../../executor/executor.ts";
import { attemptFolder } from "../../files/attempt-folder.ts";
import { removeBelowTrusted } from "../../files/beneath/open-folder.ts";
import { bindJob, memoryFor, mostMemoryMib } from "../../jobs/bind-job.ts";
import { closeSecrets, collectJob } from "../../jobs/collect-job.ts";
import { begunJob, EarlierResults } from "../../jobs/compare-job.ts";
import {
  jobIdOf,
  queuedEvent,
  failedEnd,
  LOST_END,
  recordedOutcome,
  recordEnd,
  recordLastFailure,
  recordRetry,
  recordReuse,
} from "../../jobs/job-events.ts";
import type { Begun, BoundJob, ComparedJob, JobEnd, JobIdentity, JobOutcome, ReusedJob } from "../../jobs/job.ts";
import { retryDelayMs, type FailedAttempt } from "../../jobs/retry-policy.ts";
import { startJob } from "../../jobs/start-job.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import type { JobRow } from "../../journal/rows.ts";
import { isLeft, startsJobs, type ActorState, type RunMessage } from "./decide.ts";
import { describeTool, type RunContext } from "./run-context.ts";
import { JobTicket } from "./job-ticket.ts";
import { killUntilProven } from "./stop-jobs.ts";
import type { RunFetch } from "./run-fetch.ts";
import type { RunServices } from "./run-services.ts";

type AttemptIdentity = JobIdentity & { readonly attempt: number };

/** One attempt at a job, before it begins. */
interface Attempt {
  readonly call: Call;
  readonly identity: AttemptIdentity;
  /** Present if an earlier server started it and it is to be reattached. */
  readonly begun?: (Begun & Pick<JobRow, "cache"> & { readonly backend: BackendKind }) | undefined;
  /** The number of the job's attempts so far that ran out of memory. */
  readonly outOfMemory: number;
  /** Attempts that a restart of the server removed before they started; they do not count as attempts. */
  readonly unstarted: number;
  /** Delay before it begins; absent: no delay. */
  readonly delayMs?: number | undefined;
}

interface CallContext {
  /** The state of the run; read here, never changed. */
  readonly state: Readonly<ActorState>;
  readonly post: (message: RunMessage) => void;
  /** Aborted when the run stops. */
  readonly stop: AbortSignal;
  readonly fetch: RunFetch;
  readonly catalog: Catalog | undefined;
  readonly services: RunServices;
}

/** Only `#end` returns it: the end of the job has been posted. */
const ENDED: unique symbol = Symbol("ended");
const CANCELED: JobOutcome = { status: "canceled" };

/**
 * Executes the calls of one run. Each job passes through the same steps (`#attempt`): queued in the log, inputs
 * fetched, prepared, compared with earlier results, submitted to the scheduler, run, and retried after a failure. A
 * recorded job is answered from the log or reattached. All that the run learns about a job is one message when it ends.
 */
export class RunCalls {
  readonly #run: RunContext;
  readonly #context: CallContext;
  readonly #services: RunServices;
  /** Jobs that wait for the scheduler, or have had their turn and not ended. */
  readonly #tickets = new Map<JobTicket, Attempt>();
  readonly #earlier: EarlierResults;
  /** Ends the waits between attempts. */
  readonly #waits = new AbortController();
  /** Sequence number of the last queued job. An earlier server may have queued jobs in another order. */
  #lastN: number;

  constructor(run: RunContext, context: CallContext) {
    this.#run = run;
    this.#context = context;
    this.#services = context.services;
    this.#earlier = new EarlierResults(run, context.stop, context.services);
    this.#lastN = run.jobsRecorded ?? 0;
  }

  /**
   * Begins a job for each call. `onlyBegun`: only for those with jobs that an earlier server has begun: those that run
   * continue, and others may have begun after those that have ended. Calls without a job end as canceled.
   */
  async submit(calls: readonly Call[], onlyBegun: boolean): Promise<void> {
    const left = new Set(calls);
    try {
      const found = calls.map((call) => ({ call, row: this.#run.recorded(call.id) }));
      const chosen = onlyBegun ? found.filter(({ row }) => hasBegun(row)) : found;
      const jobs = chosen.map((job) => ({ ...job, n: job.row?.n ?? ++this.#lastN }));
      if (!(await this.#recordQueued(jobs))) return;
      for (const { call, row, n } of jobs) {
        if (this.#context.stop.aborted) return;
        await this.#submitOne(call, row?.jobId ?? jobIdOf(call.id, n), row);
        left.delete(call);
        await giveWay();
      }
    } finally {
      for (const { id } of left) this.#post(id, "", CANCELED);
    }
  }

  /** Starts no waiting job and retries no failure; running jobs continue. */
  hold(): void {
    this.#waits.abort();
    this.#services.scheduler.withdraw(this.#run.runId);
    for (const [ticket, attempt] of this.#tickets) if (!ticket.isGranted) this.#discard(ticket, attempt);
  }

  /** Starts no waiting job, and also stops running jobs. */
  halt(): void {
    this.hold();
    for (const ticket of this.#tickets.keys()) ticket.stop();
  }

  /**
   * Stops without ending jobs: the next server waits for the rest of a retry delay, and still retries jobs that fail in
   * the meantime.
   */
  detach(): void {
    this.#waits.abort();
  }

  /** Records queued jobs; returns false if the run was already stopped. */
  async #recordQueued(jobs: readonly { readonly call: Call; readonly row: JobRow | undefined; readonly n: number }[]) {
    const { runId } = this.#run;
    const fresh = jobs
      .filter(({ row }) => row === undefined)
      .map(({ call, n }) => queuedEvent(call, { runId, n, tool: this.#toolOf(call) }));
    return fresh.length === 0 || recordBeginning(fresh, this.#services.journal, this.#context.stop);
  }

  async #submitOne(call: Call, jobId: string, row: JobRow | undefined): Promise<void> {
    if (row !== undefined && isFinal(row.state))
      return this.#post(call.id, jobId, recordedOutcome(row, this.#services));
    const { runId } = this.#run;
    const first = { runId, jobId, step: call.step, sampleId: call.sampleId, attempt: row?.attempt ?? 1 };
    const found = row === undefined ? undefined : await this.#inspect(row, first);
    const isGone = found === "lost" || found === "unclaimed";
    const end = isGone ? await this.#giveUp(first, found) : undefined;
    if (end !== undefined) return this.#post(call.id, jobId, end);
    const retryMs = row?.retryMs ?? null;
    const attempt = {
      call,
      identity: isGone || found === "unstarted" ? { ...first, attempt: first.attempt + 1 } : first,
      begun:
        row !== undefined && found === "reattach"
          ? { container: row.container, sandbox: row.sandbox, cache: row.cache, backend: backendOf(row) }
          : undefined,
      outOfMemory: timesOutOfMemory(row),
      unstarted: unstartedAttempts(row) + (found === "unstarted" ? 1 : 0),
      delayMs: retryMs === null ? undefined : this.#restOfWait(retryMs),
    };
    // Fetches and retry delays run while other calls are submitted; all other work is done for one call at a time.
    const isLater = retryMs !== null || this.#context.fetch.isNeeded(call.inputs, call.process);
    const bound = isLater ? undefined : await this.#bind(attempt);
    void this.#carry(attempt, bound);
  }

  /**
   * The state of an attempt of an earlier server. Undefined: its start is not recorded, so it never ran, though it may
   * have waited for files or an image. `unstarted`: it was ready, but its preparations are lost.
   */
  async #inspect(row: JobRow, identity: AttemptIdentity): Promise<AttemptState | "unstarted" | undefined> {
    const isPrepared = row.phase === "prepared";
    if (row.startedMs === null && !isPrepared) return undefined;
    const folder = attemptFolder(this.#services.runsFolder, identity.runId, identity);
    const found = await this.#services.executor.look({ ...identity, folder, backend: backendOf(row) });
    if (!isPrepared || found !== "unclaimed") return found;
    await removeBelowTrusted(folder);
    return "unstarted";
  }

  async #carry(first: Attempt, early: BoundJob | JobOutcome | undefined): Promise<void> {
    try {
      let next = await this.#attempt(first, early);
      while (next !== ENDED) next = await this.#attempt(next, undefined);
    } catch (error) {
      this.#context.post({ type: "job-broken", callId: first.call.id, error });
    }
  }

  /** One attempt from its beginning to its recorded end. Returns the attempt that follows. */
  async #attempt(next: Attempt, early: BoundJob | JobOutcome | undefined): Promise<Attempt | typeof ENDED> {
    if (next.delayMs !== undefined) {
      if (startsJobs(this.#context.state)) await this.#wait(next.identity, next.delayMs);
      if (this.#isLeft) return this.#end(next, CANCELED);
      if (!startsJobs(this.#context.state))
        return this.#end(next, await recordLastFailure(next.identity, this.#services));
    }
    const job = early ?? (await this.#fetchAndBind(next));
    if ("status" in job) return this.#end(next, job);
    if (!this.#mayBegin(next)) return this.#end(next, CANCELED);
    const compared = await this.#compare(next, job);
    if (compared.kind === "reused")
      return this.#end(
        next,
        this.#isLeft ? CANCELED : await untilAborted(recordReuse(compared, this.#services), this.#context.stop),
      );
    return this.#mayBegin(next) ? this.#execute(next, compared) : this.#end(next, CANCELED);
  }

  /** True if the attempt may begin: a running job continues even if no more jobs may start. */
  #mayBegin({ begun }: Attempt): boolean {
    return startsJobs(this.#context.state) || (begun !== undefined && !this.#isLeft);
  }

  get #isLeft(): boolean {
    return isLeft(this.#context.state);
  }

  get #isReleased(): boolean {
    return this.#context.state.phase === "released";
  }

  #end({ call, identity: { jobId } }: Attempt, outcome: JobOutcome): typeof ENDED {
    this.#post(call.id, jobId, outcome);
    return ENDED;
  }

  #post(callId: string, jobId: string, outcome: JobOutcome): void {
    this.#context.post({ type: "job-ended", callId, jobId, outcome });
  }

  async #fetchAndBind(next: Attempt): Promise<BoundJob | JobOutcome> {
    const { call, identity } = next;
    try {
      await this.#context.fetch.fetch(call.inputs, call.process, identity);
    } catch (error) {
      return this.#isLeft ? CANCELED : recordEnd(identity, failedEnd(error, "STAGE_IN"), this.#services);
    }
    return this.#mayBegin(next) ? this.#bind(next) : CANCELED;
  }

  /** Returns the recorded outcome if it cannot be bound. */
  async #bind({ call, identity, begun, outOfMemory }: Attempt): Promise<BoundJob | JobOutcome> {
    const { formats, options, original } = this.#run;
    const memory = { policy: options.on_out_of_memory, times: outOfMemory };
    const surroundings = { services: this.#services, formats, memory, pinnedImage: original?.imageOf(call) };
    try {
      return await bindJob(call, identity, { ...surroundings, backend: begun?.backend });
    } catch (error) {
      return recordEnd(identity, failedEnd(error, "STAGE_IN"), this.#services);
    }
  }

  /** Looks for an earlier result before the job waits for cores: a cache hit needs none. */
  async #compare({ call, begun }: Attempt, job: BoundJob): Promise<ComparedJob | ReusedJob> {
    if (begun !== undefined) return begunJob(job, begun, begun.cache);
    const known = this.#earlier.known(job);
    return known ?? untilAborted(this.#earlier.look({ call, tool: this.#toolOf(call) }, job), this.#context.stop);
  }

  /** Waits for the job's turn, runs it, and records its end. A failure is posted before others can get its reservation. */
  async #execute(next: Attempt, job: ComparedJob): Promise<Attempt | typeof ENDED> {
    const ticket = new JobTicket(job, this.#services);
    this.#tickets.set(ticket, next);
    await ticket.turn();
    try {
      if (this.#isReleased) return this.#end(next, CANCELED);
      const end = await this.#runThrough(ticket);
      // The job's end is on disk, where the next server finds it.
      if (this.#isReleased) return this.#end(next, CANCELED);
      const delayMs = await this.#recordRetry(next, job, end);
      if (delayMs !== undefined) return this.#isLeft ? this.#end(next, CANCELED) : following(next, end, delayMs);
      const reusable = await this.#earlier.keep(job, end);
      return this.#end(next, await recordEnd(job, { ...end, reusable }, this.#services));
    } finally {
      this.#tickets.delete(ticket);
      ticket.release();
    }
  }

  /** The last three stages. No end contains a secret. */
  async #runThrough(ticket: JobTicket): Promise<JobEnd> {
    const context = { services: this.#services, turn: ticket };
    const prepared = await ticket.ready();
    const exited = "outcome" in prepared ? prepared : await startJob(prepared, context);
    const end = "outcome" in exited ? exited : await collectJob(exited, context);
    return closeSecrets(ticket.job, end, this.#services);
  }

  /** Discards a job that waited and never starts, and removes its prepared files. */
  #discard(ticket: JobTicket, attempt: Attempt): void {
    this.#tickets.delete(ticket);
    const discarded = ticket.discard();
    if (discarded === undefined) this.#end(attempt, CANCELED);
    else void discarded.then(() => this.#end(attempt, CANCELED));
  }

  /** Records that another attempt follows a failed one. Returns the time until then; undefined: none does. */
  async #recordRetry({ unstarted }: Attempt, job: BoundJob, end: JobEnd): Promise<number | undefined> {
    const { outcome, isTemporary = false } = end;
    if (outcome.status !== "failed" || this.#context.stop.aborted) return undefined;
    const { code } = outcome.reason;
    const failed = { attempt: job.attempt - unstarted, code, isTemporary, ramMib: job.resources.ramMin };
    const delayMs = this.#retryDelayMs(failed, job.backend);
    if (delayMs === undefined) return undefined;
    return (await recordRetry(job, { ...end, outcome }, delayMs, this.#services)) ? delayMs : undefined;
  }

  /** The delay before a retry; undefined if the failure ends the job, as it does once no more jobs may start. */
  #retryDelayMs(failed: FailedAttempt, backend: BackendKind): number | undefined {
    if (!startsJobs(this.#context.state)) return undefined;
    const { retries, on_out_of_memory: policy } = this.#run.options;
    return retryDelayMs(failed, {
      retries,
      delaysMs: this.#services.retryDelaysMs,
      mostMemoryMib: policy === undefined ? undefined : mostMemoryMib(policy, memoryFor(backend, this.#services)),
    });
  }

  /** Resolves when this attempt may begin, or when waiting ends because no more jobs may start. */
  async #wait(identity: AttemptIdentity, delayMs: number): Promise<void> {
    const { signal } = this.#waits;
    try {
      await this.#endAttempt({ ...identity, attempt: identity.attempt - 1 });
      await pause(delayMs, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The rest of a delay that an earlier server began, but at most the longest delay, in case the clock was changed. */
  #restOfWait(dueMs: number): number {
    const { journal, retryDelaysMs } = this.#services;
    return Math.min(Math.max(0, dueMs - journal.nowMs()), Math.max(...retryDelaysMs));
  }

  /**
   * Closes an attempt that an earlier server had begun. Normally the next one follows, and this returns undefined.
   * An attempt that ran and was lost counts; after the last one, the job ends with it.
   */
  async #giveUp(identity: AttemptIdentity, found: Exclude<AttemptState, "reattach">): Promise<JobOutcome | undefined> {
    await this.#endAttempt(identity);
    if (this.#waits.signal.aborted) return undefined;
    // The memory matters only for an attempt that ran out of it, so it can be 0.
    const failed = { attempt: identity.attempt, code: "BACKEND_LOST", isTemporary: false, ramMib: 0 } as const;
    const isLast = found === "lost" && this.#retryDelayMs(failed, "local") === undefined;
    if (isLast) return recordEnd(identity, LOST_END, this.#services);
    await recordRetry(identity, LOST_END, 0, this.#services);
    return undefined;
  }

  /** The job must not run concurrently with the next one; a container outlives the program that started it. */
  async #endAttempt({ runId, jobId, attempt }: AttemptIdentity): Promise<void> {
    const target = { runId, job: { jobId, attempt }, graceMs: 0 };
    await killUntilProven(target, this.#services, () => this.#waits.signal.aborted);
  }

  #toolOf(call: Call): JobTool {
    return this.#run.original?.toolOf(call) ?? describeTool(call, this.#context.catalog);
  }
}

function following({ call, identity, outOfMemory, unstarted }: Attempt, { outcome }: JobEnd, delayMs: number): Attempt {
  const isOutOfMemory = outcome.status === "failed" && outcome.reason.code === "OUT_OF_MEMORY";
  return {
    ...{ call, unstarted, delayMs, identity: { ...identity, attempt: identity.attempt + 1 } },
    outOfMemory: outOfMemory + (isOutOfMemory ? 1 : 0),
  };
}

function hasBegun(row: JobRow | undefined): boolean {
  return row !== undefined && (row.startedMs !== null || isFinal(row.state));
}

/** The backend on which an earlier server started it. */
function backendOf(row: JobRow): BackendKind {
  return BACKEND_KINDS.find((kind) => kind === row.backend) ?? "local";
}

function unstartedAttempts(row: JobRow | undefined): number {
  return row === undefined ? 0 : row.attempt - 1 - row.attempts.length;
}

function timesOutOfMemory(row: JobRow | undefined): number {
  return row?.attempts.filter(({ reason }) => reason.code === "OUT_OF_MEMORY").length ?? 0;
}
