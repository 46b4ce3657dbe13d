import { isWithin, minus, NO_RESOURCES, plus, type Resources } from "./resources.ts";
import type { WaitingJob } from "./run-queue.ts";

/**
 * Resources reserved for one job, so that smaller ones do not pass it forever. Others may start if it will still fit
 * once all jobs that are running now have ended. It waits for those, but not for jobs that start later.
 */
export class Reservation {
  readonly job: WaitingJob;
  readonly #whole: Resources;
  /** The resources of jobs that were started since the reservation and must not be counted for it. */
  #beside: Resources = NO_RESOURCES;

  constructor(job: WaitingJob, whole: Resources) {
    this.job = job;
    this.#whole = whole;
  }

  /** Does not hold up jobs of a higher priority; within its own run, keeps one slot of the run's limit free. */
  allows(other: WaitingJob): boolean {
    const { run } = this.job.queue;
    const otherRun = other.queue.run;
    if (other === this.job || otherRun.priority > run.priority) return true;
    if (otherRun === run && run.running + 1 >= run.maxParallel) return false;
    return isWithin(plus(plus(this.#beside, other.resources), this.job.resources), this.#whole);
  }

  startedAlongside(resources: Resources): void {
    this.#beside = plus(this.#beside, resources);
  }

  endedAlongside(resources: Resources): void {
    this.#beside = minus(this.#beside, resources);
  }
}
