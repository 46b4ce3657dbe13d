import { setTimeout as pause } from "node:timers/promises";
import type { FailedAttempt } from "../job/retry-policy.ts";
import { retryDelayMs } from "../job/retry-policy.ts";
import type { JobOutcome } from "../job/job.ts";
import { recordEnd, recordLostAttempt, recordLostJob } from "../job/run-job.ts";
import { killUntilProven } from "./kill-until-proven.ts";
import type { Mailbox } from "./mailbox.ts";
import type { NextJob, RunMessage } from "./run-message.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";
import type { TakenUp } from "./take-up-job.ts";

type Identity = NextJob["identity"];

/** What lies between two attempts of a job of one run: the end of all that the first left behind, and the wait. */
export class JobRetries {
  readonly #retries: number | undefined;
  readonly #services: RunServices;
  readonly #over = new AbortController();
  readonly #mailbox: Mailbox<RunMessage>;
  #startsNothing = false;
  #isReleased = false;

  constructor({ retries }: Pick<RunPlan, "retries">, services: RunServices, mailbox: Mailbox<RunMessage>) {
    this.#mailbox = mailbox;
    this.#retries = retries;
    this.#services = services;
  }

  /** Undefined: the failure is the end of the job, as it is for all jobs once nothing more is to start. */
  delayMs(failed: FailedAttempt): number | undefined {
    if (this.#startsNothing) return undefined;
    return retryDelayMs(failed, { retries: this.#retries, delaysMs: this.#services.retryDelaysMs });
  }

  /** Posts `retry-due` when the attempt that `next` names may begin, or when the waits are over because nothing more is to. */
  async wait(next: NextJob, delayMs: number): Promise<void> {
    const { identity } = next;
    try {
      await this.#endAttempt({ ...identity, attempt: identity.attempt - 1 });
      await pause(delayMs, undefined, { signal: this.#over.signal });
    } catch (error) {
      if (!this.#over.signal.aborted) return this.#mailbox.post({ type: "broken", error });
    }
    if (!this.#isReleased) this.#mailbox.post({ type: "retry-due", next });
  }

  /** Of a job that is not tried again after all: it ends as its last attempt did. */
  async endAsBefore({ call, identity }: NextJob): Promise<void> {
    try {
      const outcome = await this.#recordLastFailure(identity);
      this.#mailbox.post({ type: "job-ended", callId: call.id, jobId: identity.jobId, outcome });
    } catch (error) {
      this.#mailbox.post({ type: "broken", error });
    }
  }

  /** What is left of a wait that an earlier server began; never longer than any wait, whatever became of the clock. */
  restOfWait(dueMs: number): number {
    return Math.min(Math.max(0, dueMs - this.#services.journal.nowMs()), Math.max(...this.#services.retryDelaysMs));
  }

  /**
   * Of an attempt that an earlier server had begun: the next one follows at once, and answers nothing. One that ran and was lost
   * counts as a try; after the last one the job ends with it.
   */
  async giveUp(identity: Identity, found: Exclude<TakenUp, "adopt">): Promise<JobOutcome | undefined> {
    await this.#endAttempt(identity);
    if (this.#over.signal.aborted) return undefined;
    const failed = { attempt: identity.attempt, code: "BACKEND_LOST", isTemporary: false } as const;
    const isLast = found === "lost" && this.delayMs(failed) === undefined;
    return isLast ? recordLostJob(identity, this.#services) : recordLostAttempt(identity, this.#services);
  }

  async #recordLastFailure(identity: Identity): Promise<JobOutcome> {
    const { runId, jobId } = identity;
    const last = this.#services.journal.read.job(runId, jobId)?.attempts.at(-1);
    if (last === undefined) throw new Error(`job ${jobId} waits for another attempt and had none`);
    const state = last.state === "SYSTEM_ERROR" ? last.state : "EXECUTOR_ERROR";
    const outcome = { status: "failed", state, reason: last.reason } as const;
    return recordEnd(identity, { outcome, exitCode: last.exit_code, cpuMs: last.cpu_ms }, this.#services);
  }

  /** Nothing more is to start: every wait ends, and no failure is followed by another attempt. */
  end(): void {
    this.#startsNothing = true;
    this.#over.abort();
  }

  /** Ends the waits here: the next server waits the rest. What fails meanwhile is still tried again there. */
  release(): void {
    this.#isReleased = true;
    this.#over.abort();
  }

  /** It is not to run beside the next one; a container outlives the program that started it. */
  async #endAttempt({ runId, jobId, attempt }: Identity): Promise<void> {
    const target = { runId, job: { jobId, attempt }, graceMs: 0 };
    await killUntilProven(target, this.#services, () => this.#over.signal.aborted);
  }
}
