import { setImmediate } from "node:timers/promises";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance } from "@weft/cwl/workflow/advance.ts";
import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { RecordedStep } from "@weft/shared/events/run-events.ts";
import { KillLedger } from "../../jobs/kill-ledger.ts";
import { brokenRun, stepFailure, toFailure } from "../../jobs/job-failure.ts";
import type { JobFailure } from "../../jobs/job-failure.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { DiskAccess } from "../../access/disk-access.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import { Turns } from "../../async/give-way.ts";
import type { Journal } from "../../journal/journal.ts";
import { endRun } from "./end-run.ts";
import type { EndServices } from "./end-run.ts";
import { RunJobs } from "./run-jobs.ts";
import type { JobsServices } from "./run-jobs.ts";
import type { RunMessage } from "./run-message.ts";
import type { FailedJob, FailurePolicy } from "./run-outcome.ts";
import { KEPT_FAILURES, runOutcome } from "./run-outcome.ts";
import type { RunContext } from "./run-context.ts";
import type { RunEnd } from "./run-end.ts";
import { RunFetch } from "./run-fetch.ts";
import type { FetchServices } from "./run-fetch.ts";
import { createProgress } from "./run-progress.ts";
import type { ProgressServices, RunProgress } from "./run-progress.ts";
import { killedEvents } from "./stop-jobs.ts";

export interface DriverServices extends JobsServices, EndServices, FetchServices, ProgressServices {
  /** What each run may read. */
  readonly access: DiskAccess;
  readonly reach: Reach;
}

/**
 * Drives one run: gets the calls that can start from its state machine, submits jobs, and reports their ends back. Ends and aborts
 * arrive in one mailbox with one reader, so nothing here runs concurrently. A run that an earlier server began is
 * replayed from its start: calls with recorded jobs are answered from the log or reattached.
 */
export class RunDriver {
  readonly #run: RunContext;
  readonly #services: DriverServices & JobsServices;
  readonly #stop = new AbortController();
  readonly #fetch: RunFetch;
  readonly #progress: RunProgress;
  readonly #mailbox = new Mailbox<RunMessage>();
  readonly #jobs: RunJobs;
  readonly #sizes: StepSizeLog;
  readonly #failedJobs: FailedJob[] = [];
  readonly #turns = new Turns();
  #inputs: CwlObject = {};
  /** More can be decided although no job has ended: a loop continues. */
  #pending = false;
  #aborted = false;
  #released = false;
  #ended: Advance["ended"];
  /** How its processes were ended, if they were. */
  #ledger: KillLedger | undefined;
  /** Resolves when the run is final and all its processes have ended. */
  readonly ended: Promise<void>;

  constructor(run: RunContext, services: DriverServices, catalog: Catalog | undefined) {
    const { reach, files } = services.access.ofRun(run.runId, run.values);
    const { signal } = this.#stop;
    const { runId, pinned = [] } = run;
    this.#run = run;
    this.#fetch = new RunFetch({ runId, services: { ...services, files }, signal, pinned });
    this.#services = { ...services, reach, files: this.#fetch.files };
    this.#progress = createProgress(run, this.#services);
    const surroundings = { signal, fetch: this.#fetch, catalog, services: this.#services };
    this.#jobs = new RunJobs(run, surroundings, (message) => this.#mailbox.post(message));
    this.#sizes = new StepSizeLog(runId, services.journal);
    this.ended = this.#supervise();
  }

  /** The abort is recorded; ends every job and then the run. */
  abort(): void {
    this.#aborted = true;
    this.#stop.abort();
    this.#jobs.startNothingMore();
    this.#mailbox.post({ type: "abort" });
  }

  get isReleased(): boolean {
    return this.#released;
  }

  /** Detaches from the run: its jobs keep running, and the next server resumes it from the log. */
  release(): void {
    this.#released = true;
    this.#jobs.release();
    this.#fetch.close();
  }

  async #supervise(): Promise<void> {
    try {
      const end = await this.#drive();
      await this.#record(end);
    } catch (error) {
      if (this.#released) return;
      const { runId } = this.#run;
      this.#services.log("error", "run failed: internal error", {
        run_id: runId,
        error: error instanceof Error ? error.stack : String(error),
      });
      await this.#stopJobs();
      await this.#record({ outcome: "failure", outputs: undefined, ...brokenRun(error) });
    }
  }

  /** Records nothing without proof that all processes have ended: the next server continues ending the run. */
  async #record(end: RunEnd): Promise<void> {
    const ledger = this.#ledger;
    if (ledger?.total.confirmed_ms === null) return;
    const killed = ledger === undefined ? [] : killedEvents(this.#run.runId, ledger, this.#services);
    const outputNames = () => this.#progress.outputNames();
    await endRun(this.#run, { ...end, inputs: this.#inputs, outputNames, kill: ledger?.total, killed }, this.#services);
  }

  async #drive(): Promise<RunEnd> {
    await this.#prepareRun();
    while (!this.#aborted && !this.#isOver()) {
      const messages = await this.#nextMessages();
      this.#turns.begin();
      for (const message of messages) {
        await this.#handle(message);
        await this.#turns.giveWay();
      }
      if (!this.#aborted) await this.#startMore();
    }
    if (this.#jobs.running > 0 || this.#aborted) await this.#stopJobs();
    return this.#end();
  }

  /** A loop continues without a message, but only after yielding to requests, job ends and aborts. */
  async #nextMessages(): Promise<readonly RunMessage[]> {
    if (!this.#pending || this.#released) return this.#mailbox.take();
    await setImmediate();
    return this.#mailbox.takeArrived();
  }

  /** A file that cannot be fetched ends the run like a failing job. An abort may arrive during the fetch. */
  async #prepareRun(): Promise<void> {
    try {
      this.#inputs = await this.#bindInputs();
    } catch (error) {
      if (this.#aborted) return;
      const failure = toFailure(error, "STAGE_IN");
      if (failure.reason.code === "ENGINE") throw error;
      await this.#stopJobs();
      return this.#fail("", failure);
    }
    const { runId } = this.#run;
    const started = { type: "run.started", run_id: runId, actor: "engine", data: {} } as const;
    if (!(await recordBeginning([started], this.#services.journal, this.#stop.signal))) return;
    await this.#advance(this.#progress.start(this.#inputs));
  }

  async #bindInputs(): Promise<CwlObject> {
    const { values, process, bind } = this.#run;
    await this.#fetch.fetch(values, process);
    const inputs = await bind(this.#fetch.files);
    await this.#fetch.record();
    return inputs;
  }

  #isOver(): boolean {
    if (this.#jobs.running > 0) return this.#failed !== undefined && this.#policy === "stop_now";
    return this.#jobs.waiting === 0 && !this.#pending;
  }

  get #policy(): FailurePolicy {
    return this.#run.options.on_failure ?? DEFAULT_FAILURE_POLICY;
  }

  get #failed(): FailedJob | undefined {
    return this.#failedJobs[0];
  }

  get #startsNothing(): boolean {
    return this.#failed !== undefined && this.#policy !== "continue";
  }

  async #handle(message: RunMessage): Promise<void> {
    if (message.type === "broken") throw message.error;
    if (message.type === "abort" || this.#aborted) return;
    this.#jobs.forget(message.jobId);
    const { outcome } = message;
    if (outcome.status === "canceled") return;
    if (outcome.status === "failed") this.#fail(message.jobId, outcome);
    await this.#advance(this.#progress.callEnded(message.callId, outcome));
  }

  /** Records the first failures. Unless the policy is to continue, nothing that waits will start. */
  #fail(jobId: string, failure: JobFailure): void {
    if (this.#failedJobs.length < KEPT_FAILURES) this.#failedJobs.push({ jobId, failure });
    if (this.#policy === "continue") return;
    this.#jobs.startNothingMore();
    this.#pending = false;
  }

  async #startMore(): Promise<void> {
    if (!this.#pending || this.#released) return;
    this.#pending = false;
    await this.#advance(this.#progress.nextCalls());
  }

  /** An abort does not wait for expressions that decide what comes next. */
  async #advance(advancing: Promise<Advance>): Promise<void> {
    const { signal } = this.#stop;
    const advance = await untilAborted(advancing, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    if (advance !== undefined) await this.#take(advance);
  }

  async #take(advance: Advance): Promise<void> {
    for (const failure of advance.failures) this.#fail("", stepFailure(failure));
    this.#ended = advance.ended ?? this.#ended;
    // A loop without calls must not fill the log.
    if (!advance.isPending || advance.calls.length > 0) await this.#sizes.record(this.#progress);
    const calls = this.#startsNothing ? this.#jobs.begunBefore(advance.calls) : advance.calls;
    if (calls.length > 0) await this.#jobs.submit(calls);
    if (advance.isPending && !this.#startsNothing) this.#pending = true;
  }

  /** Starts no more jobs, and kills all processes of the run. */
  async #stopJobs(): Promise<void> {
    this.#stop.abort();
    this.#ledger ??= new KillLedger(Date.now());
    await this.#jobs.stop(this.#ledger);
  }

  #end(): RunEnd {
    return runOutcome({
      aborted: this.#aborted,
      failedJobs: this.#failedJobs,
      ended: this.#ended,
      policy: this.#policy,
    });
  }
}

/** A queue with one reader: everything that happens to a run outside its loop arrives here, in order. */
class Mailbox<Message> {
  #messages: Message[] = [];
  #wake: (() => void) | undefined;

  post(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** All messages that have arrived; waits for the first. */
  async take(): Promise<readonly Message[]> {
    if (this.#messages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    return this.takeArrived();
  }

  /** All messages that have arrived; may be empty. */
  takeArrived(): readonly Message[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }
}

/** Records how many jobs each step of one run has, whenever that changes. */
class StepSizeLog {
  readonly #runId: string;
  readonly #journal: Pick<Journal, "append">;
  /** What the log knows, by step. */
  readonly #sizes = new Map<string, string>();

  constructor(runId: string, journal: Pick<Journal, "append">) {
    this.#runId = runId;
    this.#journal = journal;
  }

  async record(progress: Pick<RunProgress, "stepSizes">): Promise<void> {
    const steps: RecordedStep[] = [];
    for (const [step, { jobs, skipped, isFinal }] of progress.stepSizes()) {
      const text = `${jobs - skipped} ${isFinal}`;
      if (this.#sizes.get(step) === text) continue;
      this.#sizes.set(step, text);
      steps.push({ step, jobs_total: jobs - skipped, jobs_total_is_final: isFinal });
    }
    if (steps.length > 0)
      await this.#journal.append([{ type: "run.steps", run_id: this.#runId, actor: "engine", data: { steps } }]);
  }
}
