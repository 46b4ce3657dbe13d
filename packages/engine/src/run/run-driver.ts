import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance, Call } from "@weft/cwl/workflow/advance.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { stepFailure, toFailure } from "../job/job-failure.ts";
import type { JobFailure } from "../job/job-failure.ts";
import type { RecordedKill } from "../journal/journal-event.ts";
import type { JobRow } from "../journal/rows.ts";
import { endRun } from "./end-run.ts";
import type { RunEnd } from "./end-run.ts";
import { jobIdOf } from "./job-id.ts";
import { Mailbox } from "./mailbox.ts";
import { attemptFolder } from "./prepare-job.ts";
import { queuedEvent } from "./queued-event.ts";
import type { NextJob, RunMessage } from "./run-message.ts";
import { JobRetries } from "./job-retries.ts";
import { recordedOutcome } from "./recorded-outcome.ts";
import { RunJobs } from "./run-jobs.ts";
import type { FailedJob } from "./run-outcome.ts";
import { KEPT_FAILURES, runOutcome } from "./run-outcome.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";
import { stopJobs } from "./stop-jobs.ts";
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
  readonly #jobs: RunJobs;
  readonly #sizes: StepSizeLog;
  readonly #retries: JobRetries;
  readonly #failedJobs: FailedJob[] = [];
  #inputs: CwlObject = {};
  /** More is to be decided although no job has ended: a loop goes on. */
  #pending = false;
  #queued = 0;
  #aborted = false;
  #released = false;
  #ended: Advance["ended"];
  /** How its processes were ended, if they were. */
  #kill: RecordedKill | undefined;
  /** Resolves when the run is final and nothing of it is left. */
  readonly ended: Promise<void>;

  constructor(plan: RunPlan, services: RunServices) {
    this.#plan = plan;
    this.#services = services;
    this.#stop = plan.stop;
    this.#retries = new JobRetries(plan, services);
    this.#jobs = new RunJobs({
      plan,
      services,
      retries: this.#retries,
      mailbox: this.#mailbox,
      isReleased: () => this.#released,
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
      await this.#record(end);
    } catch (error) {
      if (this.#released) return;
      const { runId } = this.#plan;
      this.#services.log("error", "a run ended by a mistake of ours", {
        run_id: runId,
        error: error instanceof Error ? error.stack : String(error),
      });
      await this.#stopJobs();
      await this.#record({ outcome: "failure", outputs: undefined, ...toFailure(error, "STAGE_IN") });
    }
  }

  /** Not without the proof that nothing is left: the next server goes on with ending it. */
  async #record(end: RunEnd): Promise<void> {
    if (this.#kill?.confirmed_ms === null) return;
    await endRun({ ...this.#plan, inputs: this.#inputs, kill: this.#kill }, this.#services, end);
  }

  async #drive(): Promise<RunEnd> {
    await this.#prepareRun();
    while (!this.#aborted && !this.#isOver()) {
      for (const message of await this.#mailbox.take()) await this.#hear(message);
    }
    if (this.#jobs.running.size > 0 || this.#aborted) await this.#stopJobs();
    return this.#end();
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
    await this.#services.journal.append([{ type: "run.started", run_id: this.#plan.runId, actor: "engine", data: {} }]);
    await this.#take(await this.#plan.progress.start(this.#inputs));
  }

  #isOver(): boolean {
    if (this.#jobs.running.size > 0) return this.#failed !== undefined && this.#plan.policy === "stop_now";
    return this.#jobs.waiting === 0 && !this.#pending;
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
    this.#jobs.running.delete("next" in message ? message.next.identity.jobId : message.jobId);
    if (message.type !== "job-ended") return this.#startsNothing ? undefined : this.#goOnWith(message);
    const { outcome } = message;
    if (outcome.status === "canceled") return;
    if (outcome.status === "failed") this.#fail(message.jobId, outcome);
    await this.#take(await this.#plan.progress.callEnded(message.callId, outcome));
  }

  async #goOnWith(message: Extract<RunMessage, { readonly next: NextJob }>): Promise<void> {
    switch (message.type) {
      case "inputs-here":
        return this.#jobs.prepare(message.next);
      case "retry-due":
        return this.#jobs.begin(message.next);
      case "attempt-failed":
        return this.#retryLater(message.next, message.delayMs);
    }
  }

  /** Keeps what the first failures were; unless the policy goes on, nothing that waits will start. */
  #fail(jobId: string, failure: JobFailure): void {
    if (this.#failedJobs.length < KEPT_FAILURES) this.#failedJobs.push({ jobId, failure });
    if (this.#plan.policy === "continue") return;
    this.#services.scheduler.withdraw(this.#plan.runId);
    this.#retries.end();
    this.#jobs.waiting = 0;
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
    const jobs = calls.map((call) => ({ call, row: this.#plan.recorded(call.id), n: ++this.#queued }));
    const fresh = jobs.filter(({ row }) => row === undefined).map(({ call, n }) => queuedEvent(call, n, this.#plan));
    if (fresh.length > 0) await this.#services.journal.append(fresh);
    for (const { call, row, n } of jobs) await this.#submitOne(call, row?.jobId ?? jobIdOf(call.id, n), row);
  }

  async #submitOne(call: Call, jobId: string, row: JobRow | undefined): Promise<void> {
    if (row !== undefined && isFinal(row.state)) return this.#replay(call, row);
    // Until its start is on record nothing of it has run, though it may have waited for files or an image.
    const begun = row !== undefined && row.startedMs !== null;
    const { step, sampleId } = call;
    const first = { runId: this.#plan.runId, jobId, step, sampleId, attempt: row?.attempt ?? 1 };
    const adopted = begun && (await takeUpJob(attemptFolder(this.#services, first.runId, first))) === "adopt";
    if (begun && !adopted) await this.#retries.giveUp(first);
    const identity = begun && !adopted ? { ...first, attempt: first.attempt + 1 } : first;
    const next = { call, identity, adopted, container: row?.container, outOfMemory: timesOutOfMemory(row) };
    const retryMs = row?.retryMs ?? null;
    if (retryMs === null) await this.#jobs.begin(next);
    else this.#retryLater(next, this.#retries.restOfWait(retryMs));
  }

  #retryLater(next: NextJob, delayMs: number): void {
    this.#jobs.running.set(next.identity.jobId, this.#waitToRetry(next, delayMs));
  }

  async #waitToRetry(next: NextJob, delayMs: number): Promise<void> {
    try {
      await this.#retries.wait(next, delayMs);
      if (!this.#stop.signal.aborted && !this.#released) this.#mailbox.post({ type: "retry-due", next });
    } catch (error) {
      this.#mailbox.post({ type: "broken", error });
    }
  }

  /** A job of an earlier server that has ended: its end is fed in as if it came now. */
  #replay(call: Call, row: JobRow): void {
    this.#jobs.running.set(row.jobId, Promise.resolve());
    this.#mailbox.post({
      type: "job-ended",
      callId: call.id,
      jobId: row.jobId,
      outcome: recordedOutcome(row, this.#services),
    });
  }

  /** Nothing more starts, and nothing of the run is left. */
  async #stopJobs(): Promise<void> {
    const { runId } = this.#plan;
    this.#stop.abort();
    this.#retries.end();
    this.#services.scheduler.withdraw(runId);
    const jobs = this.#jobs.running.values();
    this.#kill = await stopJobs({ runId, jobs, isPointless: () => this.#released }, this.#services);
  }

  #end(): RunEnd {
    const { policy } = this.#plan;
    return runOutcome({ aborted: this.#aborted, failedJobs: this.#failedJobs, ended: this.#ended, policy });
  }
}

function timesOutOfMemory(row: JobRow | undefined): number {
  return row?.attempts.filter(({ reason }) => reason.code === "OUT_OF_MEMORY").length ?? 0;
}
