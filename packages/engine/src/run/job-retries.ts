import { setTimeout as pause } from "node:timers/promises";
import { mostMemoryMib } from "../job/more-memory.ts";
import type { FailedAttempt, RetryPolicy } from "../job/retry-policy.ts";
import { retryDelayMs } from "../job/retry-policy.ts";
import { recordLostAttempt } from "../job/run-job.ts";
import { killUntilProven } from "./kill-until-proven.ts";
import type { NextJob } from "./run-message.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";

type Identity = NextJob["identity"];

/** What lies between two attempts of a job of one run: the end of all that the first left behind, and the wait. */
export class JobRetries {
  readonly #policy: RetryPolicy;
  readonly #services: RunServices;
  readonly #over = new AbortController();
  #startsNothing = false;

  constructor({ retries, memoryPolicy }: Pick<RunPlan, "retries" | "memoryPolicy">, services: RunServices) {
    const { ramMib } = services.scheduler.capacity;
    this.#policy = {
      retries,
      delaysMs: services.retryDelaysMs,
      mostMemoryMib: memoryPolicy === undefined ? undefined : mostMemoryMib(memoryPolicy, ramMib),
    };
    this.#services = services;
  }

  /** Undefined: the failure is the end of the job, as it is for all jobs once nothing more is to start. */
  delayMs(failed: FailedAttempt): number | undefined {
    if (this.#startsNothing) return undefined;
    return retryDelayMs(failed, this.#policy);
  }

  /** Resolves when the attempt that `next` names may begin, or when the waits are over for another reason. */
  async wait({ identity }: NextJob, delayMs: number): Promise<void> {
    await this.#endAttempt({ ...identity, attempt: identity.attempt - 1 });
    try {
      await pause(delayMs, undefined, { signal: this.#over.signal });
    } catch (error) {
      if (!this.#over.signal.aborted) throw error;
    }
  }

  /** What is left of a wait that an earlier server began; never longer than any wait, whatever became of the clock. */
  restOfWait(dueMs: number): number {
    return Math.min(Math.max(0, dueMs - Date.now()), Math.max(...this.#services.retryDelaysMs));
  }

  /** Of an attempt that ended with the server that had begun it: the next one follows at once. */
  async giveUp(identity: Identity): Promise<void> {
    await this.#endAttempt(identity);
    if (!this.#over.signal.aborted) await recordLostAttempt(identity, this.#services);
  }

  /** Nothing more is to start: every wait ends, and no failure is followed by another attempt. */
  end(): void {
    this.#startsNothing = true;
    this.#over.abort();
  }

  /** Ends the waits here: the next server waits the rest. What fails meanwhile is still tried again there. */
  release(): void {
    this.#over.abort();
  }

  /** It is not to run beside the next one; a container outlives the program that started it. */
  async #endAttempt({ runId, jobId, attempt }: Identity): Promise<void> {
    const target = { runId, job: { jobId, attempt }, graceMs: 0 };
    await killUntilProven(target, this.#services, () => this.#over.signal.aborted);
  }
}
