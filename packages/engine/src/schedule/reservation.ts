import { isWithin, minus, NO_RESOURCES, plus } from "./resources.ts";
import type { Resources } from "./resources.ts";
import type { WaitingJob } from "./run-queue.ts";

/**
 * Resources reserved for one job, so that smaller ones do not pass it over forever. Others may start beside it as
 * long as there would be room for it once all that ran before has ended. It waits for those, and for nothing that comes later.
 */
export class Reservation {
  readonly job: WaitingJob;
  readonly #whole: Resources;
  /** What was started since, and will not make way for it. */
  #beside: Resources = NO_RESOURCES;

  constructor(job: WaitingJob, whole: Resources) {
    this.job = job;
    this.#whole = whole;
  }

  /** A higher priority is not held up; of its own run one place below the run's bound stays free. */
  allows(other: WaitingJob): boolean {
    const { run } = this.job.lane;
    const otherRun = other.lane.run;
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
