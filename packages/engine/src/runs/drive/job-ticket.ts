import { removeBelowTrusted } from "../../files/beneath/open-folder.ts";
import type { JobServices } from "../../jobs/job-services.ts";
import type { ComparedJob, JobEnd, JobTurn } from "../../jobs/job.ts";
import { prepareJob, type PreparedJob } from "../../jobs/prepare-job.ts";
import type { Ticket } from "../../schedule/ticket.ts";

/** A job at the scheduler: it gets ready while it waits, and holds its reservation from `start` to `release`. */
export class JobTicket implements Ticket, JobTurn {
  readonly job: ComparedJob;
  readonly runId: string;
  readonly jobId: string;
  readonly cores: number;
  readonly ramMib: number;
  readonly isRemote: boolean;
  readonly isExpression: boolean;
  readonly isRunning: boolean;
  readonly #services: JobServices;
  readonly #stop = new AbortController();
  readonly signal = this.#stop.signal;
  readonly #turn = Promise.withResolvers<void>();
  #ready: Promise<PreparedJob | JobEnd> | undefined;
  isGranted = false;
  /** False while the job is being prepared; read by the scheduler. */
  isReady = false;

  constructor(job: ComparedJob, services: JobServices) {
    const { runId, jobId, resources, backend, kind, process } = job;
    this.job = job;
    this.runId = runId;
    this.jobId = jobId;
    this.cores = resources.coresMin;
    this.ramMib = resources.ramMin;
    this.isRemote = backend !== "local";
    this.isExpression = process.class === "ExpressionTool";
    this.isRunning = kind === "begun";
    this.#services = services;
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
  ready(): Promise<PreparedJob | JobEnd> {
    this.#ready ??= prepareJob(this.job, { services: this.#services, turn: this }).finally(() => (this.isReady = true));
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

  /** Removes the files that a withdrawn job has prepared. Undefined: nothing was prepared or is in progress. */
  discard(): Promise<void> | undefined {
    this.stop();
    return this.#ready === undefined ? undefined : this.#removePrepared(this.#ready);
  }

  /** Never rejects: the remaining files are removed with the run. */
  async #removePrepared(ready: Promise<PreparedJob | JobEnd>): Promise<void> {
    try {
      await ready;
      await removeBelowTrusted(this.job.folder);
    } catch (error) {
      const fields = { run_id: this.runId, job_id: this.jobId, error: String(error) };
      this.#services.log("warn", "the folder of a job that never started was not removed", fields);
    }
  }
}
