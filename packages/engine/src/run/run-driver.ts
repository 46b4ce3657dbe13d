import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance, Call } from "@weft/cwl/workflow/advance.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { brokenRun, stepFailure, toFailure } from "../job/job-failure.ts";
import type { JobFailure } from "../job/job-failure.ts";
import type { Job, JobOutcome } from "../job/job.ts";
import type { FailedAttempt } from "../job/retry-policy.ts";
import { runJob } from "../job/run-job.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import type { JobRow } from "../journal/rows.ts";
import type { Ticket } from "../schedule/scheduler.ts";
import { endRun } from "./end-run.ts";
import type { RunEnd } from "./end-run.ts";
import { jobIdOf } from "./job-id.ts";
import { Mailbox } from "./mailbox.ts";
import { JobPreparation } from "./job-preparation.ts";
import { attemptFolder } from "./prepare-job.ts";
import { killUntilProven } from "./kill-until-proven.ts";
import { queuedEvent } from "./queued-event.ts";
import type { JobPast, NextJob, RunMessage } from "./run-message.ts";
import { JobRetries } from "./job-retries.ts";
import { recordBeginning } from "../journal/record-beginning.ts";
import { recordedOutcome } from "./recorded-outcome.ts";
import type { FailedJob } from "./run-outcome.ts";
import { KEPT_FAILURES, runOutcome } from "./run-outcome.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";
import { StepSizeLog } from "./step-size-log.ts";
import { takeUpJob } from "./take-up-job.ts";

/**
 * Drives one run: asks its state machine what can start, hands jobs to the scheduler, and feeds their ends back. Ends
 * and aborts arrive in one mailbox with one reader, so that nothing here happens twice at a time. A run that an earlier
 * server began is driven again from its start: calls whose jobs the log knows are answered from the log, or taken up.
 */
export class RunDriver {
  readonly #plan: RunPlan;
  readonly #services: RunServices;
  readonly #mailbox = new Mailbox<RunMessage>();
  readonly #stop: AbortController;
  readonly #running = new Map<string, Promise<void>>();
  readonly #sizes: StepSizeLog;
  readonly #retries: JobRetries;
  readonly #preparation: JobPreparation;
  readonly #failedJobs: FailedJob[] = [];
  #inputs: CwlObject = {};
  #waiting = 0;
  /** More is to be decided although no job has ended: a loop goes on. */
  #pending = false;
  #jobs = 0;
  #aborted = false;
  #released = false;
  #ended: Advance["ended"];
  /** Resolves when the run is final and nothing of it is left. */
  readonly ended: Promise<void>;

  constructor(plan: RunPlan, services: RunServices) {
    this.#plan = plan;
    this.#services = services;
    this.#stop = plan.stop;
    this.#retries = new JobRetries(plan, services, this.#mailbox);
    this.#preparation = new JobPreparation({
      fetch: plan.fetch,
      formats: plan.formats,
      services,
      mailbox: this.#mailbox,
      track: (jobId, work) => this.#running.set(jobId, work),
      enqueue: (next, job) => this.#enqueue(next.call, job, next),
      isOver: () => this.#stop.signal.aborted || this.#released,
    });
    this.#sizes = new StepSizeLog(plan.runId, services.journal);
    if (plan.maxParallelJobs !== undefined) services.scheduler.limitRun(plan.runId, plan.maxParallelJobs);
    this.ended = this.#supervise();
  }

  /** The abort is on record; ends every job and then the run. */
  abort(): void {
    this.#aborted = true;
    this.#stop.abort();
    this.#retries.end();
    this.#services.scheduler.withdraw(this.#plan.runId);
    this.#mailbox.post({ type: "abort" });
  }

  /** Lets go of the run as it is: its jobs run on, and the next server takes it up from the log. */
  release(): void {
    this.#released = true;
    this.#retries.release();
    this.#plan.fetch.close();
  }

  async #supervise(): Promise<void> {
    try {
      const end = await this.#drive();
      await endRun({ ...this.#plan, inputs: this.#inputs }, this.#services, end);
    } catch (error) {
      if (this.#released) return;
      this.#services.log("error", "a run ended by a mistake of ours", {
        run_id: this.#plan.runId,
        error: error instanceof Error ? error.stack : String(error),
      });
      await this.#stopJobs();
      const end = { outcome: "failure", outputs: undefined, ...brokenRun(error) } as const;
      await endRun({ ...this.#plan, inputs: this.#inputs }, this.#services, end);
    }
  }

  async #drive(): Promise<RunEnd> {
    await this.#prepareRun();
    while (!this.#aborted && !this.#isOver()) {
      for (const message of await this.#mailbox.take()) await this.#hear(message);
    }
    if (this.#running.size > 0 || this.#aborted) await this.#stopJobs();
    const { policy } = this.#plan;
    return runOutcome({ aborted: this.#aborted, failedJobs: this.#failedJobs, ended: this.#ended, policy });
  }

  /** A file that cannot be had ends the run like a job that fails; an abort may come while it is brought. */
  async #prepareRun(): Promise<void> {
    try {
      this.#inputs = await this.#plan.prepare();
    } catch (error) {
      if (this.#aborted) return;
      const failure = toFailure(error, "STAGE_IN");
      if (failure.reason.code === "ENGINE") throw error;
      await this.#stopJobs();
      return this.#fail("", failure);
    }
    if (!(await this.#record([{ type: "run.started", run_id: this.#plan.runId, actor: "engine", data: {} }]))) return;
    await this.#take(await this.#plan.progress.start(this.#inputs));
  }

  /** False when the run was aborted meanwhile. */
  #record(events: readonly NewEvent[]): Promise<boolean> {
    return recordBeginning(events, this.#services.journal, this.#stop.signal);
  }

  #isOver(): boolean {
    if (this.#running.size > 0) return this.#failed !== undefined && this.#plan.policy === "stop_now";
    return this.#waiting === 0 && !this.#pending;
  }

  get #failed(): FailedJob | undefined {
    return this.#failedJobs[0];
  }

  get #startsNothing(): boolean {
    return this.#failed !== undefined && this.#plan.policy !== "continue";
  }

  async #hear(message: RunMessage): Promise<void> {
    if (message.type === "broken") throw message.error;
    if (message.type === "abort" || this.#aborted) return;
    if (message.type === "go-on") return this.#goOn();
    this.#running.delete("next" in message ? message.next.identity.jobId : message.jobId);
    if (message.type !== "job-ended") return this.#startsNothing ? this.#giveUp(message) : this.#goOnWith(message);
    const { outcome } = message;
    if (outcome.status === "canceled") return;
    if (outcome.status === "failed") this.#fail(message.jobId, outcome);
    await this.#take(await this.#plan.progress.callEnded(message.callId, outcome));
  }

  async #goOnWith(message: Extract<RunMessage, { readonly next: NextJob }>): Promise<void> {
    switch (message.type) {
      case "inputs-here":
        return this.#preparation.prepare(message.next);
      case "retry-due":
        return this.#preparation.begin(message.next);
      case "attempt-failed":
        return this.#retryLater(message.next, message.delayMs);
    }
  }

  /** Nothing more is to start: a job that was to be tried again ends as its last attempt did. */
  #giveUp({ type, next }: Extract<RunMessage, { readonly next: NextJob }>): void {
    if (type !== "inputs-here") this.#running.set(next.identity.jobId, this.#retries.endAsBefore(next));
  }

  /** Keeps what the first failures were; unless the policy goes on, nothing that waits will start. */
  #fail(jobId: string, failure: JobFailure): void {
    if (this.#failedJobs.length < KEPT_FAILURES) this.#failedJobs.push({ jobId, failure });
    if (this.#plan.policy === "continue") return;
    this.#services.scheduler.withdraw(this.#plan.runId);
    this.#retries.end();
    this.#waiting = 0;
    this.#pending = false;
  }

  async #goOn(): Promise<void> {
    if (!this.#pending || this.#released) return;
    this.#pending = false;
    await this.#take(await this.#plan.progress.goOn());
  }

  async #take(advance: Advance): Promise<void> {
    for (const failure of advance.failures) this.#fail("", stepFailure(failure));
    this.#ended = advance.ended ?? this.#ended;
    // A loop that calls nothing does not fill the log.
    if (!advance.isPending || advance.calls.length > 0) await this.#sizes.record(this.#plan.progress);
    if (advance.calls.length > 0 && !this.#startsNothing) await this.#submit(advance.calls);
    if (!advance.isPending || this.#startsNothing || this.#pending) return;
    this.#pending = true;
    // Not at once: requests, ends of jobs and an abort have their turn between.
    setImmediate(() => this.#mailbox.post({ type: "go-on" }));
  }

  async #submit(calls: readonly Call[]): Promise<void> {
    const jobs = calls.map((call) => ({ call, row: this.#plan.recorded(call.id), n: ++this.#jobs }));
    const fresh = jobs.filter(({ row }) => row === undefined).map(({ call, n }) => queuedEvent(call, n, this.#plan));
    if (fresh.length > 0 && !(await this.#record(fresh))) return;
    for (const { call, row, n } of jobs) await this.#submitOne(call, row?.jobId ?? jobIdOf(call.id, n), row);
  }

  async #submitOne(call: Call, jobId: string, row: JobRow | undefined): Promise<void> {
    if (row !== undefined && isFinal(row.state)) return this.#feedIn(call, jobId, recordedOutcome(row, this.#services));
    // Until its start is on record nothing of it has run, though it may have waited for files or an image.
    const begun = row !== undefined && row.startedMs !== null;
    const { step, sampleId } = call;
    const first = { runId: this.#plan.runId, jobId, step, sampleId, attempt: row?.attempt ?? 1 };
    const found = begun ? await takeUpJob(attemptFolder(this.#services, first.runId, first)) : undefined;
    const isGone = found === "lost" || found === "unclaimed";
    const end = isGone ? await this.#retries.giveUp(first, found) : undefined;
    if (end !== undefined) return this.#feedIn(call, jobId, end);
    const identity = isGone ? { ...first, attempt: first.attempt + 1 } : first;
    const next = { call, identity, adopted: found === "adopt", container: row?.container };
    const retryMs = row?.retryMs ?? null;
    if (retryMs === null) await this.#preparation.begin(next);
    else this.#retryLater(next, this.#retries.restOfWait(retryMs));
  }

  #retryLater(next: NextJob, delayMs: number): void {
    this.#running.set(next.identity.jobId, this.#retries.wait(next, delayMs));
  }

  /** The end of a job of an earlier server, as if it came now. */
  #feedIn(call: Call, jobId: string, outcome: JobOutcome): void {
    this.#running.set(jobId, Promise.resolve());
    this.#mailbox.post({ type: "job-ended", callId: call.id, jobId, outcome });
  }

  #enqueue(call: Call, job: Job, past: JobPast): void {
    this.#waiting += 1;
    const ticket: Ticket = {
      runId: job.runId,
      jobId: job.jobId,
      cores: job.resources.coresMin,
      ramMib: job.resources.ramMin,
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
      const retryDelayMs = (failed: FailedAttempt) => this.#retries.delayMs(failed);
      const control = { signal: this.#stop.signal, ...past, onExit, retryDelayMs };
      const outcome = await runJob(job, this.#services, control);
      if (outcome.status !== "retrying")
        return this.#mailbox.post({ type: "job-ended", callId: call.id, jobId: job.jobId, outcome });
      const { runId, jobId, step, sampleId, attempt } = job;
      const identity = { runId, jobId, step, sampleId, attempt: attempt + 1 };
      const { delayMs } = outcome;
      this.#mailbox.post({ type: "attempt-failed", next: { call, identity, adopted: false }, delayMs });
    } catch (error) {
      this.#mailbox.post({ type: "broken", error });
    } finally {
      onExit();
    }
  }

  /** Ends every process of the run and waits until no job is left; then proves it once more. */
  async #stopJobs(): Promise<void> {
    const { runId } = this.#plan;
    this.#stop.abort();
    this.#retries.end();
    this.#services.scheduler.withdraw(runId);
    const settled = Promise.all(this.#running.values()).then(() => true);
    let done = false;
    void settled.then(() => (done = true));
    while (!done) {
      await this.#services.executor.kill({ runId, graceMs: this.#services.graceMs });
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    await killUntilProven({ runId, graceMs: 0 }, this.#services, () => this.#released);
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
