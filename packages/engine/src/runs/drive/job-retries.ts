import { setTimeout as pause } from "node:timers/promises";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import { mostMemoryMib } from "../../jobs/more-memory.ts";
import type { FailedAttempt } from "../../jobs/retry-policy.ts";
import { retryDelayMs } from "../../jobs/retry-policy.ts";
import type { AttemptState, UsedResources } from "../../executor/executor.ts";
import type { JobOutcome } from "../../jobs/job.ts";
import { recordEnd, recordLostAttempt, recordLostJob } from "../../jobs/record-end.ts";
import type { AttemptRow } from "../../journal/rows.ts";
import { killUntilProven } from "./kill-until-proven.ts";
import { memoryFor } from "../../jobs/prepare-job.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { JobIdentity } from "../../jobs/job-events.ts";
import type { PrepareServices } from "../../jobs/prepare-job.ts";
import type { RunLog } from "../../journal/run-log.ts";
import type { KillServices } from "./kill-until-proven.ts";

export type AttemptIdentity = JobIdentity & { readonly attempt: number };

export interface RetryServices extends RunLog, KillServices, Pick<PrepareServices, "scheduler"> {
  /** Times between the attempts of a job; the last one applies to all that follow. */
  readonly retryDelaysMs: readonly number[];
}

/** The time between two attempts of a job: ends everything left by the first, and waits. */
export class JobRetries {
  readonly #options: Pick<RunOptions, "retries" | "on_out_of_memory">;
  readonly #services: RetryServices;
  readonly #over = new AbortController();
  #startsNothing = false;

  constructor(options: Pick<RunOptions, "retries" | "on_out_of_memory">, services: RetryServices) {
    this.#options = options;
    this.#services = services;
  }

  /** Undefined: the failure ends the job, as it does for all jobs once nothing more may start. */
  delayMs(failed: FailedAttempt, backend: BackendKind): number | undefined {
    if (this.#startsNothing) return undefined;
    const { retries, on_out_of_memory: policy } = this.#options;
    return retryDelayMs(failed, {
      retries,
      delaysMs: this.#services.retryDelaysMs,
      mostMemoryMib: policy === undefined ? undefined : mostMemoryMib(policy, memoryFor(backend, this.#services)),
    });
  }

  /** Resolves when this attempt may begin, or when waiting ends because nothing more may start. */
  async wait(identity: AttemptIdentity, delayMs: number): Promise<void> {
    try {
      await this.#endAttempt({ ...identity, attempt: identity.attempt - 1 });
      await pause(delayMs, undefined, { signal: this.#over.signal });
    } catch (error) {
      if (!this.#over.signal.aborted) throw error;
    }
  }

  /** The rest of a delay that an earlier server began; never longer than the longest delay, whatever the clock says. */
  restOfWait(dueMs: number): number {
    return Math.min(Math.max(0, dueMs - this.#services.journal.nowMs()), Math.max(...this.#services.retryDelaysMs));
  }

  /**
   * For an attempt that an earlier server had begun. Normally the next one follows immediately, and this returns undefined.
   * An attempt that ran and was lost counts; after the last one, the job ends with it.
   */
  async giveUp(identity: AttemptIdentity, found: Exclude<AttemptState, "reattach">): Promise<JobOutcome | undefined> {
    await this.#endAttempt(identity);
    if (this.#over.signal.aborted) return undefined;
    // Memory matters only for an attempt that ran out of it, so 0 is fine.
    const failed = { attempt: identity.attempt, code: "BACKEND_LOST", isTemporary: false, ramMib: 0 } as const;
    const isLast = found === "lost" && this.delayMs(failed, "local") === undefined;
    return isLast ? recordLostJob(identity, this.#services) : recordLostAttempt(identity, this.#services);
  }

  /** Ends a job that is not retried after all, with the end of its last attempt. */
  async recordLastFailure(identity: AttemptIdentity): Promise<JobOutcome> {
    const { runId, jobId } = identity;
    const last = this.#services.journal.read.job(runId, jobId)?.attempts.at(-1);
    if (last === undefined) throw new Error(`job ${jobId} waits for a retry but has no failed attempt`);
    const state = last.state === "SYSTEM_ERROR" ? last.state : "EXECUTOR_ERROR";
    const outcome = { status: "failed", state, reason: last.reason } as const;
    const end = { outcome, exitCode: last.exit_code, used: usedBy(last), kill: last.kill };
    return recordEnd(identity, end, this.#services);
  }

  /** Nothing more may start: ends every wait and all retries. */
  end(): void {
    this.#startsNothing = true;
    this.#over.abort();
  }

  /** Ends the waits here: the next server waits for the rest, and still retries what fails meanwhile. */
  release(): void {
    this.#over.abort();
  }

  /** It must not run concurrently with the next one; a container outlives the program that started it. */
  async #endAttempt({ runId, jobId, attempt }: AttemptIdentity): Promise<void> {
    const target = { runId, job: { jobId, attempt }, graceMs: 0 };
    await killUntilProven(target, this.#services, () => this.#over.signal.aborted);
  }
}

function usedBy(attempt: AttemptRow): UsedResources {
  return {
    cpuMs: attempt.cpu_ms,
    maxRssBytes: attempt.max_rss_bytes,
    memorySource: attempt.memory_source ?? null,
    ioReadBytes: attempt.io_read_bytes ?? null,
    ioWriteBytes: attempt.io_write_bytes ?? null,
  };
}
