import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance } from "@weft/cwl/workflow/advance.ts";
import { KillLedger } from "../../jobs/kill-ledger.ts";
import { brokenRun, stepFailure, toFailure } from "../../jobs/job-failure.ts";
import type { JobFailure } from "../../jobs/job-failure.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import { endRun } from "./end-run.ts";
import type { RunEnd } from "./end-run.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import { Turns } from "../../async/give-way.ts";
import { Mailbox } from "./mailbox.ts";
import { RunJobs } from "./run-jobs.ts";
import type { RunMessage } from "./run-message.ts";
import type { FailedJob } from "./run-outcome.ts";
import { KEPT_FAILURES, runOutcome } from "./run-outcome.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";
import { killedEvents } from "./stop-jobs.ts";
import { StepSizeLog } from "./step-size-log.ts";

/**
 * Drives one run: asks its state machine what can start, hands jobs to the scheduler, and feeds their ends back. Ends
 * and aborts arrive in one mailbox with one reader, so that nothing here happens twice at a time. A run that an earlier
 * server began is driven again from its start: calls whose jobs the log knows are answered from the log, or taken up.
 */
export class RunDriver {
  readonly #plan: RunPlan;
  readonly #services: RunServices;
  readonly #mailbox = new Mailbox<RunMessage>();
  readonly #jobs: RunJobs;
  readonly #sizes: StepSizeLog;
  readonly #failedJobs: FailedJob[] = [];
  readonly #turns = new Turns();
  #inputs: CwlObject = {};
  /** More is to be decided although no job has ended: a loop goes on. */
  #pending = false;
  #aborted = false;
  #released = false;
  #ended: Advance["ended"];
  /** How its processes were ended, if they were. */
  #ledger: KillLedger | undefined;
  /** Resolves when the run is final and nothing of it is left. */
  readonly ended: Promise<void>;

  constructor(plan: RunPlan, services: RunServices) {
    this.#plan = plan;
    this.#services = services;
    this.#jobs = new RunJobs(plan, services, (message) => this.#mailbox.post(message));
    this.#sizes = new StepSizeLog(plan.runId, services.journal);
    this.ended = this.#supervise();
  }

  /** The abort is on record; ends every job and then the run. */
  abort(): void {
    this.#aborted = true;
    this.#plan.stop.abort();
    this.#jobs.startNothingMore();
    this.#mailbox.post({ type: "abort" });
  }

  get isReleased(): boolean {
    return this.#released;
  }

  /** Lets go of the run as it is: its jobs run on, and the next server takes it up from the log. */
  release(): void {
    this.#released = true;
    this.#jobs.release();
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
      await this.#record({ outcome: "failure", outputs: undefined, ...brokenRun(error) });
    }
  }

  /** Not without the proof that nothing is left: the next server goes on with ending it. */
  async #record(end: RunEnd): Promise<void> {
    const ledger = this.#ledger;
    if (ledger?.total.confirmed_ms === null) return;
    const killed = ledger === undefined ? [] : killedEvents(this.#plan.runId, ledger, this.#services);
    await endRun({ ...this.#plan, inputs: this.#inputs, kill: ledger?.total, killed }, this.#services, end);
  }

  async #drive(): Promise<RunEnd> {
    await this.#prepareRun();
    while (!this.#aborted && !this.#isOver()) {
      const messages = await this.#mailbox.take();
      this.#turns.begin();
      for (const message of messages) {
        await this.#handle(message);
        await this.#turns.giveWay();
      }
    }
    if (this.#jobs.running > 0 || this.#aborted) await this.#stopJobs();
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
    const { runId, stop } = this.#plan;
    const started = { type: "run.started", run_id: runId, actor: "engine", data: {} } as const;
    if (!(await recordBeginning([started], this.#services.journal, stop.signal))) return;
    await this.#advance(this.#plan.progress.start(this.#inputs));
  }

  #isOver(): boolean {
    if (this.#jobs.running > 0) return this.#failed !== undefined && this.#plan.policy === "stop_now";
    return this.#jobs.waiting === 0 && !this.#pending;
  }

  get #failed(): FailedJob | undefined {
    return this.#failedJobs[0];
  }

  get #startsNothing(): boolean {
    return this.#failed !== undefined && this.#plan.policy !== "continue";
  }

  async #handle(message: RunMessage): Promise<void> {
    if (message.type === "broken") throw message.error;
    if (message.type === "abort" || this.#aborted) return;
    if (message.type === "go-on") return this.#startMore();
    this.#jobs.heard("next" in message ? message.next.identity.jobId : message.jobId);
    if (message.type !== "job-ended")
      return this.#startsNothing ? this.#jobs.giveUp(message) : this.#jobs.goOnWith(message);
    const { outcome } = message;
    if (outcome.status === "canceled") return;
    if (outcome.status === "failed") this.#fail(message.jobId, outcome);
    await this.#advance(this.#plan.progress.callEnded(message.callId, outcome));
  }

  /** Keeps what the first failures were; unless the policy goes on, nothing that waits will start. */
  #fail(jobId: string, failure: JobFailure): void {
    if (this.#failedJobs.length < KEPT_FAILURES) this.#failedJobs.push({ jobId, failure });
    if (this.#plan.policy === "continue") return;
    this.#jobs.startNothingMore();
    this.#pending = false;
  }

  async #startMore(): Promise<void> {
    if (!this.#pending || this.#released) return;
    this.#pending = false;
    await this.#advance(this.#plan.progress.nextCalls());
  }

  /** An abort does not wait for expressions that decide what would have come next. */
  async #advance(advancing: Promise<Advance>): Promise<void> {
    const { signal } = this.#plan.stop;
    const advance = await untilAborted(advancing, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    if (advance !== undefined) await this.#take(advance);
  }

  async #take(advance: Advance): Promise<void> {
    for (const failure of advance.failures) this.#fail("", stepFailure(failure));
    this.#ended = advance.ended ?? this.#ended;
    // A loop that calls nothing does not fill the log.
    if (!advance.isPending || advance.calls.length > 0) await this.#sizes.record(this.#plan.progress);
    if (advance.calls.length > 0 && !this.#startsNothing) await this.#jobs.submit(advance.calls);
    if (!advance.isPending || this.#startsNothing || this.#pending) return;
    this.#pending = true;
    // Not at once: requests, ends of jobs and an abort have their turn between.
    setImmediate(() => this.#mailbox.post({ type: "go-on" }));
  }

  /** Nothing more starts, and nothing of the run is left. */
  async #stopJobs(): Promise<void> {
    this.#ledger ??= new KillLedger(Date.now());
    await this.#jobs.stop(this.#ledger);
  }

  #end(): RunEnd {
    const { policy } = this.#plan;
    return runOutcome({ aborted: this.#aborted, failedJobs: this.#failedJobs, ended: this.#ended, policy });
  }
}
