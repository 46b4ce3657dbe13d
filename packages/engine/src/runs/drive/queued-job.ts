import { removeBelowTrusted } from "../../files/beneath/open-folder.ts";
import type { Job, JobTurn } from "../../jobs/job.ts";
import { readyJob } from "../../jobs/run-job.ts";
import type { ReadyJob, RunJobServices } from "../../jobs/run-job.ts";
import type { Scheduler } from "../../schedule/scheduler.ts";
import type { Ticket } from "../../schedule/ticket.ts";

export interface QueuedJobServices extends RunJobServices {
  readonly scheduler: Scheduler;
}

/** A job at the scheduler: it gets ready while it waits, and holds its reservation from `start` to `release`. */
export class QueuedJob implements Ticket, JobTurn {
  readonly job: Job;
  readonly #services: QueuedJobServices;
  readonly #stop = new AbortController();
  readonly #turn = Promise.withResolvers<void>();
  #ready: Promise<ReadyJob> | undefined;
  isGranted = false;
  /** For the scheduler: false while it is getting ready. */
  isReady = false;

  constructor(job: Job, services: QueuedJobServices) {
    this.job = job;
    this.#services = services;
  }

  get runId(): string {
    return this.job.runId;
  }

  get jobId(): string {
    return this.job.jobId;
  }

  get cores(): number {
    return this.job.resources.coresMin;
  }

  get ramMib(): number {
    return this.job.resources.ramMin;
  }

  get isRemote(): boolean {
    return this.job.backend !== "local";
  }

  get isRunning(): boolean {
    return this.job.startedBefore !== undefined;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves at its turn; never if it is withdrawn. */
  turn(): Promise<void> {
    this.#services.scheduler.submit(this);
    return this.#turn.promise;
  }

  prepare(): void {
    // Remote jobs start immediately, so there is nothing to prepare ahead. `turn` reports a failure.
    if (!this.isRemote) this.ready().catch(() => {});
  }

  /** Prepares the job up to its start. Rejects only if the journal cannot be written. */
  ready(): Promise<ReadyJob> {
    this.#ready ??= readyJob(this.job, { services: this.#services, turn: this }).finally(() => (this.isReady = true));
    return this.#ready;
  }

  start(): void {
    this.isGranted = true;
    this.#turn.resolve();
  }

  release(): void {
    this.#services.scheduler.release(this);
  }

  /** Stops the job. */
  stop(): void {
    this.#stop.abort();
  }

  /**
   * Removes what it has prepared. Undefined: nothing was prepared or is in progress. The scheduler must have withdrawn
   * it.
   */
  discard(): Promise<void> | undefined {
    this.stop();
    return this.#ready === undefined ? undefined : this.#removePrepared(this.#ready);
  }

  /** Never rejects: anything left is removed with the run. */
  async #removePrepared(ready: Promise<ReadyJob>): Promise<void> {
    try {
      await ready;
      await removeBelowTrusted(this.job.folder);
    } catch (error) {
      const fields = { run_id: this.runId, job_id: this.jobId, error: String(error) };
      this.#services.log("warn", "the folder of a job that never started was not removed", fields);
    }
  }
}
