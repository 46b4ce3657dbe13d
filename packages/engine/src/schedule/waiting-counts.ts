import type { RunQueue } from "./run-queue.ts";

/** Waiting jobs, and the runs that have some. */
export interface Crowd {
  readonly jobs: number;
  readonly runs: number;
}

/** How many jobs wait, counted as runs change, so that asking costs the same for any number of them. */
export class WaitingCounts {
  readonly #noted = new Map<RunQueue, { readonly jobs: number; readonly inTurn: number }>();
  /** Runs that take turns, by priority, without those that are paused or at their bound. */
  readonly #crowds = new Map<number, Crowd>();
  #jobs = 0;

  /** All that wait, whatever for. */
  get jobs(): number {
    return this.#jobs;
  }

  /** After any change of a run. */
  note(run: RunQueue): void {
    const before = this.#noted.get(run) ?? { jobs: 0, inTurn: 0 };
    const jobs = run.waiting;
    const inTurn = run.isOpen ? jobs : 0;
    if (jobs === 0) this.#noted.delete(run);
    else this.#noted.set(run, { jobs, inTurn });
    this.#jobs += jobs - before.jobs;
    const crowd = this.#crowds.get(run.priority) ?? { jobs: 0, runs: 0 };
    const runs = crowd.runs + Number(inTurn > 0) - Number(before.inTurn > 0);
    if (runs === 0) this.#crowds.delete(run.priority);
    else this.#crowds.set(run.priority, { jobs: crowd.jobs + inTurn - before.inTurn, runs });
  }

  /** What waits with a higher priority than this. */
  above(priority: number): Crowd {
    let [jobs, runs] = [0, 0];
    for (const [level, crowd] of this.#crowds) {
      if (level <= priority) continue;
      jobs += crowd.jobs;
      runs += crowd.runs;
    }
    return { jobs, runs };
  }

  /** Other runs of the same priority that have jobs waiting. */
  runsBeside(run: RunQueue): number {
    const runs = this.#crowds.get(run.priority)?.runs ?? 0;
    return runs - Number((this.#noted.get(run)?.inTurn ?? 0) > 0);
  }
}
