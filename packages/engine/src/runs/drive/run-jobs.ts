import type { Call } from "@weft/cwl/workflow/advance.ts";
import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Job, JobControl, JobOutcome, Retrying } from "../../jobs/job.ts";
import type { FailedAttempt } from "../../jobs/retry-policy.ts";
import { recordFailedJob, runJob } from "../../jobs/run-job.ts";
import type { KillLedger } from "../../jobs/kill-ledger.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import type { CacheOfRow, JobRow } from "../../journal/rows.ts";
import type { Ticket } from "../../schedule/ticket.ts";
import { reuseJob } from "../../jobs/cache/reuse-job.ts";
import { Turns } from "../../async/give-way.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import { EarlierResults } from "../../jobs/cache/earlier-results.ts";
import { jobIdOf } from "../../jobs/job-id.ts";
import type { AttemptIdentity, RetryServices } from "./job-retries.ts";
import { JobRetries } from "./job-retries.ts";
import { attemptFolder } from "../../files/attempt-folder.ts";
import type { PrepareServices } from "../../jobs/prepare-job.ts";
import type { CommandServices } from "../../jobs/run-command.ts";
import type { ReuseLookup } from "../../jobs/cache/earlier-results.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { prepareJob } from "../../jobs/prepare-job.ts";
import { queuedEvent } from "../../jobs/queued-event.ts";
import { recordedOutcome } from "../../jobs/recorded-outcome.ts";
import { describeTool } from "./describe-tool.ts";
import type { RunContext } from "./run-context.ts";
import type { RunFetch } from "./run-fetch.ts";
import type { JobMessage } from "./run-message.ts";
import { stopJobs } from "./stop-jobs.ts";
import type { StopServices } from "./stop-jobs.ts";

/** A job that can start as soon as its inputs have arrived. */
interface NextJob extends JobPast {
  readonly call: Call;
  readonly identity: AttemptIdentity;
}

/** What was done for a job before, by an earlier server too. */
interface JobPast extends Pick<JobControl, "reattached" | "container" | "sandbox"> {
  /** Where a reattached job runs; absent: that is to be decided. */
  readonly backend?: BackendKind | undefined;
  readonly cache?: CacheOfRow | null | undefined;
  /** Attempts of the job so far that ran out of memory. */
  readonly outOfMemory: number;
}

export interface JobsServices extends CommandServices, PrepareServices, ReuseLookup, RetryServices, StopServices {}

type JobsRun = Pick<RunContext, "runId" | "options" | "place" | "formats" | "recorded" | "original" | "jobsRecorded">;

interface Surroundings {
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
  readonly fetch: RunFetch;
  readonly catalog: Catalog | undefined;
  readonly services: JobsServices;
}

/**
 * The jobs of one run. Each passes through the same steps: queued on record, inputs fetched, prepared, compared with
 * earlier results, handed to the scheduler, run, and tried again after a failure. A job that the log holds is replayed or
 * reattached. Only the end of a job is posted: what follows from it is for the reader of the mailbox to decide.
 */
export class RunJobs {
  readonly #run: JobsRun;
  readonly #signal: AbortSignal;
  readonly #fetch: RunFetch;
  readonly #catalog: Catalog | undefined;
  readonly #services: JobsServices;
  readonly #post: (message: JobMessage) => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #retries: JobRetries;
  readonly #earlier: EarlierResults;
  readonly #turns = new Turns();
  #waiting = 0;
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
  }

  /** Jobs that have begun and whose end the reader has not seen yet. */
  get running(): number {
    return this.#running.size;
  }

  /** Jobs that wait for the scheduler. */
  get waiting(): number {
    return this.#waiting;
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
    // The run was aborted before they were on record.
    if (fresh.length > 0 && !(await recordBeginning(fresh, this.#services.journal, this.#signal))) return;
    this.#turns.begin();
    for (const { call, row, n } of jobs) {
      if (this.#signal.aborted) return;
      await this.#submitOne(call, row?.jobId ?? jobIdOf(call.id, n), row);
      await this.#turns.giveWay();
    }
  }

  /** The reader has seen the end of a job. */
  forget(jobId: string): void {
    this.#running.delete(jobId);
  }

  /** What waits never starts, and no failure is followed by another attempt; what runs, runs on. */
  startNothingMore(): void {
    this.#startsNothing = true;
    this.#services.scheduler.withdraw(this.#run.runId);
    this.#retries.end();
    this.#waiting = 0;
  }

  /** Lets go of them as they are. */
  release(): void {
    this.#released = true;
    this.#retries.release();
  }

  /** Starts nothing more and ends every process of the run. `signal` is aborted. */
  async stop(ledger: KillLedger): Promise<void> {
    const { runId } = this.#run;
    this.startNothingMore();
    const jobs = this.#running.values();
    await stopJobs({ runId, ledger, jobs, isPointless: () => this.#released }, this.#services);
  }

  async #submitOne(call: Call, jobId: string, row: JobRow | undefined): Promise<void> {
    if (row !== undefined && isFinal(row.state)) return this.#replay(call, jobId, recordedOutcome(row, this.#services));
    // Until its start is on record nothing of it has run, though it may have waited for files or an image.
    const begun = row !== undefined && row.startedMs !== null;
    const { step, sampleId } = call;
    const first = { runId: this.#run.runId, jobId, step, sampleId, attempt: row?.attempt ?? 1 };
    const backend = backendOf(row);
    const folder = attemptFolder(this.#services.runsFolder, first.runId, first);
    const found = begun ? await this.#services.executor.inspect({ ...first, folder, backend }) : undefined;
    const isGone = found === "lost" || found === "unclaimed";
    const end = isGone ? await this.#retries.giveUp(first, found) : undefined;
    if (end !== undefined) return this.#replay(call, jobId, end);
    const identity = isGone ? { ...first, attempt: first.attempt + 1 } : first;
    const next = {
      call,
      identity,
      reattached: found === "reattach",
      backend: found === "reattach" ? backend : undefined,
      container: row?.container,
      sandbox: row?.sandbox,
      cache: row?.cache,
      outOfMemory: timesOutOfMemory(row),
    };
    const retryMs = row?.retryMs ?? null;
    if (retryMs === null) await this.#begin(next);
    else this.#running.set(jobId, this.#retry(next, this.#retries.restOfWait(retryMs)));
  }

  /** The end of a job of an earlier server, as if it came now. */
  #replay(call: Call, jobId: string, outcome: JobOutcome): void {
    this.#running.set(jobId, Promise.resolve());
    this.#post({ type: "job-ended", callId: call.id, jobId, outcome });
  }

  async #begin(next: NextJob): Promise<void> {
    const { call, identity } = next;
    if (this.#fetch.isNeeded(call.inputs, call.process)) this.#running.set(identity.jobId, this.#fetchInputs(next));
    else await this.#prepare(next);
  }

  /** Other jobs continue while files are fetched. */
  async #fetchInputs(next: NextJob): Promise<void> {
    const { call, identity } = next;
    try {
      await this.#fetch.bring(call.inputs, call.process, identity);
    } catch (error) {
      if (!this.#isLeft) await this.#endUnprepared(next, error);
      return;
    }
    if (this.#mayContinue(next)) await this.#prepare(next);
  }

  /** False if the run is left, or nothing more is to start: such a job ends without a record. */
  #mayContinue({ call, identity: { jobId } }: NextJob): boolean {
    if (this.#isLeft) return false;
    if (this.#startsNothing) this.#post({ type: "job-ended", callId: call.id, jobId, outcome: { status: "canceled" } });
    return !this.#startsNothing;
  }

  /** The run is stopped or left to the next server: nobody reads the mailbox any more. */
  get #isLeft(): boolean {
    return this.#signal.aborted || this.#released;
  }

  async #prepare(next: NextJob): Promise<void> {
    const { call, identity } = next;
    let job: Job;
    try {
      const { formats, options, original } = this.#run;
      const memory = { policy: options.on_out_of_memory, times: next.outOfMemory };
      const pinnedImage = original?.imageOf(call);
      const surroundings = { services: this.#services, formats, memory, pinnedImage, backend: next.backend };
      job = await prepareJob(call, identity, surroundings);
    } catch (error) {
      this.#running.set(identity.jobId, Promise.resolve());
      return this.#endUnprepared(next, error);
    }
    // If the run is left to the next server, the job keeps counting as running: the run must not end without it.
    this.#running.set(identity.jobId, Promise.resolve());
    if (!this.#mayContinue(next)) return;
    const reuse = this.#earlier.known(job, next);
    if (reuse === undefined) this.#running.set(job.jobId, this.#compare(next, job));
    else this.#enqueue(next, { ...job, reuse });
  }

  /** Looks for an earlier result before the job waits for cores: a job that reuses one needs none. */
  async #compare(next: NextJob, prepared: Job): Promise<void> {
    const { call } = next;
    try {
      const looking = this.#earlier.look({ call, tool: this.#toolOf(call) }, prepared);
      const { job, taken } = await untilAborted(looking, this.#signal);
      if (this.#isLeft) return;
      if (taken !== undefined) {
        const outcome = await untilAborted(reuseJob(job, taken, this.#services), this.#signal);
        this.#post({ type: "job-ended", callId: call.id, jobId: job.jobId, outcome });
      } else if (this.#mayContinue(next)) this.#enqueue(next, job);
    } catch (error) {
      if (!this.#isLeft) this.#post({ type: "broken", error });
    }
  }

  async #endUnprepared({ call, identity }: NextJob, error: unknown): Promise<void> {
    try {
      const outcome = await recordFailedJob(identity, error, this.#services);
      this.#post({ type: "job-ended", callId: call.id, jobId: identity.jobId, outcome });
    } catch (broken) {
      this.#post({ type: "broken", error: broken });
    }
  }

  #enqueue(next: NextJob, job: Job): void {
    this.#running.delete(job.jobId);
    this.#waiting += 1;
    const ticket: Ticket = {
      runId: job.runId,
      jobId: job.jobId,
      cores: job.resources.coresMin,
      ramMib: job.resources.ramMin,
      isRemote: job.backend !== "local",
      isRunning: next.reattached,
      start: () => {
        this.#waiting -= 1;
        this.#running.set(job.jobId, this.#execute(next, job, ticket));
      },
    };
    this.#services.scheduler.submit(ticket);
  }

  async #execute(next: NextJob, job: Job, ticket: Ticket): Promise<void> {
    const onExit = once(() => this.#services.scheduler.release(ticket));
    let outcome: JobOutcome | Retrying;
    try {
      const retryDelayMs = (failed: FailedAttempt) => this.#retries.delayMs(failed, job.backend);
      const keepResult: JobControl["keepResult"] = (made, finished) => this.#earlier.keep(made, finished);
      const { reattached, container, sandbox } = next;
      const control = { signal: this.#signal, reattached, container, sandbox, onExit, retryDelayMs, keepResult };
      outcome = await runJob(job, this.#services, control);
      if (outcome.status !== "retrying")
        this.#post({ type: "job-ended", callId: next.call.id, jobId: job.jobId, outcome });
    } catch (error) {
      return this.#post({ type: "broken", error });
    } finally {
      onExit();
    }
    if (outcome.status !== "retrying" || this.#isLeft) return;
    const { delayMs, code } = outcome;
    const outOfMemory = next.outOfMemory + (code === "OUT_OF_MEMORY" ? 1 : 0);
    await this.#retry({ call: next.call, identity: nextAttempt(job), reattached: false, outOfMemory }, delayMs);
  }

  /** Begins another attempt after a wait, unless nothing more is to start by then. */
  async #retry(next: NextJob, delayMs: number): Promise<void> {
    const { call, identity } = next;
    try {
      if (!this.#startsNothing) await this.#retries.wait(identity, delayMs);
      if (this.#isLeft) return;
      if (!this.#startsNothing) return await this.#begin(next);
      const outcome = await this.#retries.recordLastFailure(identity);
      this.#post({ type: "job-ended", callId: call.id, jobId: identity.jobId, outcome });
    } catch (error) {
      this.#post({ type: "broken", error });
    }
  }

  #toolOf(call: Call): JobTool {
    return this.#run.original?.toolOf(call) ?? describeTool(call, this.#catalog);
  }
}

function nextAttempt({ runId, jobId, step, sampleId, attempt }: Job): AttemptIdentity {
  return { runId, jobId, step, sampleId, attempt: attempt + 1 };
}

/** Where an earlier server started it. */
function backendOf(row: JobRow | undefined): BackendKind {
  return BACKEND_KINDS.find((kind) => kind === row?.backend) ?? "local";
}

function timesOutOfMemory(row: JobRow | undefined): number {
  return row?.attempts.filter(({ reason }) => reason.code === "OUT_OF_MEMORY").length ?? 0;
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
