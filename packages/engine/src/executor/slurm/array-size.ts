/**
 * How many tasks the next array may have. Sites bound arrays (MaxArraySize) and the jobs that an account may have waiting
 * (MaxSubmitJobs); neither is known beforehand, so what is refused is halved. A bound of arrays stays; one on jobs is lifted by every job that
 * ends, so arrays grow again.
 */
export class ArraySize {
  #most: number;
  #now: number;

  /** `most`: as the site has it in its settings. */
  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  get now(): number {
    return this.#now;
  }

  /** An array of so many tasks was refused for their number; `isForGood`: it always will be. */
  refused(tasks: number, isForGood: boolean): void {
    this.#now = Math.max(1, Math.floor(tasks / 2));
    if (isForGood) this.#most = this.#now;
  }

  accepted(): void {
    this.#now = Math.min(this.#most, this.#now * 2);
  }
}
