import type { Call } from "@weft/cwl/workflow/advance.ts";
import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Job, JobControl, JobOutcome } from "../../jobs/job.ts";
import type { FailedAttempt } from "../../jobs/retry-policy.ts";
import { recordFailedJob, runJob } from "../../jobs/run-job.ts";
import type { KillLedger } from "../../jobs/kill-ledger.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import type { JobRow } from "../../journal/rows.ts";
import type { Ticket } from "../../schedule/ticket.ts";
import { reuseJob } from "../../jobs/cache/reuse-job.ts";
import { Turns } from "../../async/give-way.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import { EarlierResults } from "../../jobs/cache/earlier-results.ts";
import { jobIdOf } from "../../jobs/job-id.ts";
import { JobRetries } from "./job-retries.ts";
import { attemptFolder } from "../../files/attempt-folder.ts";
import { prepareJob } from "../../jobs/prepare-job.ts";
import { queuedEvent } from "../../jobs/queued-event.ts";
import { recordedOutcome } from "../../jobs/recorded-outcome.ts";
import type { JobMessage, JobPast, NextJob } from "./run-message.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";
import { stopJobs } from "./stop-jobs.ts";

/**
 * The jobs of one run from their call to their end: queued on record, taken up or replayed where the log knows them, their
 * inputs brought, then handed to the scheduler. All that happens to them is posted; what follows from it is the reader's to
 * decide, who comes back with `goOnWith`.
 */
export class RunJobs {
  readonly #plan: RunPlan;
  readonly #services: RunServices;
  readonly #post: (message: JobMessage) => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #retries: JobRetries;
  readonly #earlier: EarlierResults;
  readonly #turns = new Turns();
  #waiting = 0;
  /** Of the job that was queued last, be it by an earlier server: its order was another. */
  #lastN: number;
  #released = false;

  constructor(plan: RunPlan, services: RunServices, post: (message: JobMessage) => void) {
    this.#plan = plan;
    this.#services = services;
    this.#post = post;
    this.#retries = new JobRetries(plan, services, post);
    this.#earlier = new EarlierResults(plan, services);
    this.#lastN = plan.jobsRecorded;
  }

  /** Begun, and their message not yet heard. */
  get running(): number {
    return this.#running.size;
  }

  /** With the scheduler. */
  get waiting(): number {
    return this.#waiting;
  }

  async submit(calls: readonly Call[]): Promise<void> {
    const jobs = calls.map((call) => {
      const row = this.#plan.recorded(call.id);
      return { call, row, n: row?.n ?? ++this.#lastN };
    });
    const fresh = jobs.filter(({ row }) => row === undefined).map(({ call, n }) => queuedEvent(call, n, this.#plan));
    const { stop } = this.#plan;
    // The run was aborted before they were on record.
    if (fresh.length > 0 && !(await recordBeginning(fresh, this.#services.journal, stop.signal))) return;
    this.#turns.begin();
    for (const { call, row, n } of jobs) {
      if (stop.signal.aborted) return;
      await this.#submitOne(call, row?.jobId ?? jobIdOf(call.id, n), row);
      await this.#turns.giveWay();
    }
  }

  /** A message of a job was taken from the mailbox: until it is begun anew it does not run. */
  heard(jobId: string): void {
    this.#running.delete(jobId);
  }

  async goOnWith(message: Extract<JobMessage, { readonly next: NextJob }>): Promise<void> {
    switch (message.type) {
      case "inputs-here":
        return this.#prepare(message.next);
      case "looked-at":
        return this.#enqueue(message.next.call, message.job, message.next);
      case "retry-due":
        return this.#begin(message.next);
      case "attempt-failed":
        return this.#retryLater(message.next, message.delayMs);
    }
  }

  /** Nothing more is to start: a job that was to be tried again ends as its last attempt did. */
  giveUp({ type, next }: Extract<JobMessage, { readonly next: NextJob }>): void {
    if (type !== "attempt-failed" && type !== "retry-due") return;
    this.#running.set(next.identity.jobId, this.#retries.endAsBefore(next));
  }

  /** What waits never starts, and no failure is followed by another attempt; what runs, runs on. */
  startNothingMore(): void {
    this.#services.scheduler.withdraw(this.#plan.runId);
    this.#retries.end();
    this.#waiting = 0;
  }

  /** Lets go of them as they are. */
  release(): void {
    this.#released = true;
    this.#retries.release();
  }

  /** Nothing more starts, and nothing of the run is left. */
  async stop(ledger: KillLedger): Promise<void> {
    const { runId, stop } = this.#plan;
    stop.abort();
    this.startNothingMore();
    const jobs = this.#running.values();
    await stopJobs({ runId, ledger, jobs, isPointless: () => this.#released }, this.#services);
  }

  async #submitOne(call: Call, jobId: string, row: JobRow | undefined): Promise<void> {
    if (row !== undefined && isFinal(row.state)) return this.#replay(call, jobId, recordedOutcome(row, this.#services));
    // Until its start is on record nothing of it has run, though it may have waited for files or an image.
    const begun = row !== undefined && row.startedMs !== null;
    const { step, sampleId } = call;
    const first = { runId: this.#plan.runId, jobId, step, sampleId, attempt: row?.attempt ?? 1 };
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
    else this.#retryLater(next, this.#retries.restOfWait(retryMs));
  }

  /** The end of a job of an earlier server, as if it came now. */
  #replay(call: Call, jobId: string, outcome: JobOutcome): void {
    this.#running.set(jobId, Promise.resolve());
    this.#post({ type: "job-ended", callId: call.id, jobId, outcome });
  }

  #retryLater(next: NextJob, delayMs: number): void {
    this.#running.set(next.identity.jobId, this.#retries.wait(next, delayMs));
  }

  async #begin(next: NextJob): Promise<void> {
    const { call, identity } = next;
    if (this.#plan.fetch.isNeeded(call.inputs, call.process))
      this.#running.set(identity.jobId, this.#bringInputs(next));
    else await this.#prepare(next);
  }

  /** Beside everything else: other jobs go on while a file comes from elsewhere. */
  async #bringInputs(next: NextJob): Promise<void> {
    const { call, identity } = next;
    try {
      await this.#plan.fetch.bring(call.inputs, call.process, identity);
      this.#post({ type: "inputs-here", next });
    } catch (error) {
      if (!this.#isLeft) await this.#endUnprepared(next, error);
    }
  }

  /** Stopped, or let go of: nobody listens any more. */
  get #isLeft(): boolean {
    return this.#plan.stop.signal.aborted || this.#released;
  }

  async #prepare(next: NextJob): Promise<void> {
    try {
      const { formats, memoryPolicy: policy } = this.#plan;
      const memory = { policy, times: next.outOfMemory };
      const pinnedImage = this.#plan.pinnedImage(next.call);
      const surroundings = { services: this.#services, formats, memory, pinnedImage, backend: next.backend };
      const job = await prepareJob(next.call, next.identity, surroundings);
      const reuse = this.#earlier.known(job, next);
      if (reuse === undefined) this.#running.set(job.jobId, this.#lookAt(next, job));
      else this.#enqueue(next.call, { ...job, reuse }, next);
    } catch (error) {
      this.#running.set(next.identity.jobId, Promise.resolve());
      await this.#endUnprepared(next, error);
    }
  }

  /** Beside everything else, and before it waits for cores: a job that takes over a result needs none. */
  async #lookAt(next: NextJob, prepared: Job): Promise<void> {
    try {
      const { signal } = this.#plan.stop;
      const looking = this.#earlier.look(next.call, prepared);
      const { job, taken } = await untilAborted(looking, signal);
      if (this.#isLeft) return;
      if (taken === undefined) return this.#post({ type: "looked-at", next, job });
      const outcome = await untilAborted(reuseJob(job, taken, this.#services), signal);
      this.#post({ type: "job-ended", callId: next.call.id, jobId: job.jobId, outcome });
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

  #enqueue(call: Call, job: Job, past: JobPast): void {
    this.#waiting += 1;
    const ticket: Ticket = {
      runId: job.runId,
      jobId: job.jobId,
      cores: job.resources.coresMin,
      ramMib: job.resources.ramMin,
      isRemote: job.backend !== "local",
      isRunning: past.reattached,
      start: () => {
        this.#waiting -= 1;
        this.#running.set(job.jobId, this.#run(call, job, { ...past, ticket }));
      },
    };
    this.#services.scheduler.submit(ticket);
  }

  async #run(call: Call, job: Job, { ticket, ...past }: JobPast & { readonly ticket: Ticket }): Promise<void> {
    const onExit = once(() => this.#services.scheduler.release(ticket));
    try {
      const retryDelayMs = (failed: FailedAttempt) => this.#retries.delayMs(failed, job.backend);
      const keepResult: JobControl["keepResult"] = (made, finished) => this.#earlier.keep(made, finished);
      const control = { signal: this.#plan.stop.signal, ...past, onExit, retryDelayMs, keepResult };
      const outcome = await runJob(job, this.#services, control);
      if (outcome.status !== "retrying")
        return this.#post({ type: "job-ended", callId: call.id, jobId: job.jobId, outcome });
      const { delayMs, code } = outcome;
      const outOfMemory = past.outOfMemory + (code === "OUT_OF_MEMORY" ? 1 : 0);
      const next = { call, identity: nextAttempt(job), reattached: false, outOfMemory };
      this.#post({ type: "attempt-failed", next, delayMs });
    } catch (error) {
      this.#post({ type: "broken", error });
    } finally {
      onExit();
    }
  }
}

function nextAttempt({ runId, jobId, step, sampleId, attempt }: Job): NextJob["identity"] {
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
