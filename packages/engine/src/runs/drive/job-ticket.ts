import { removeBelowTrusted } from "../../files/beneath/open-folder.ts";
import type { Job, JobTurn } from "../../jobs/job.ts";
import { readyJob } from "../../jobs/run-job.ts";
import type { ReadyJob, RunJobServices } from "../../jobs/run-job.ts";
import type { Scheduler } from "../../schedule/scheduler.ts";
import type { Ticket } from "../../schedule/ticket.ts";

export interface TicketServices extends RunJobServices {
  readonly scheduler: Scheduler;
}

/** A job at the scheduler: it gets ready while it waits, and holds its reservation from `start` to `release`. */
export class JobTicket implements Ticket, JobTurn {
  readonly job: Job;
  readonly runId: string;
  readonly jobId: string;
  readonly cores: number;
  readonly ramMib: number;
  readonly isRemote: boolean;
  readonly isRunning: boolean;
  readonly #services: TicketServices;
  readonly #stop = new AbortController();
  readonly #turn = Promise.withResolvers<void>();
  #ready: Promise<ReadyJob> | undefined;
  isGranted = false;
  /** For the scheduler: false while it is getting ready. */
  isReady = false;

  constructor(job: Job, services: TicketServices) {
    const { runId, jobId, resources, backend, startedBefore } = job;
    this.job = job;
    this.runId = runId;
    this.jobId = jobId;
    this.cores = resources.coresMin;
    this.ramMib = resources.ramMin;
    this.isRemote = backend !== "local";
    this.isRunning = startedBefore !== undefined;
    this.#services = services;
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
    // Remote jobs start immediately, so there is nothing to prepare ahead. `ready` reports a failure again at its turn.
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

  /** Removes what a withdrawn job has prepared. Undefined: nothing was prepared or is in progress. */
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
