import { isWithin, minus, NO_ROOM, plus } from "./room.ts";
import type { Room } from "./room.ts";
import type { WaitingJob } from "./run-line.ts";

/**
 * Room that is kept for one job, so that it is not passed over for ever by smaller ones. Others may start beside it as
 * long as there would be room for it once all that ran before has ended. It waits for those, and for nothing that comes later.
 */
export class KeptRoom {
  readonly job: WaitingJob;
  readonly #whole: Room;
  /** What was started since, and will not make way for it. */
  #beside: Room = NO_ROOM;

  constructor(job: WaitingJob, whole: Room) {
    this.job = job;
    this.#whole = whole;
  }

  /** A higher priority is not held up; of its own run one place below the run's bound stays free. */
  allows(other: WaitingJob): boolean {
    const { run } = this.job.lane;
    const otherRun = other.lane.run;
    if (other === this.job || otherRun.priority > run.priority) return true;
    if (otherRun === run && run.running + 1 >= run.maxParallel) return false;
    return isWithin(plus(plus(this.#beside, other.room), this.job.room), this.#whole);
  }

  startedBeside(room: Room): void {
    this.#beside = plus(this.#beside, room);
  }

  endedBeside(room: Room): void {
    this.#beside = minus(this.#beside, room);
  }
}
