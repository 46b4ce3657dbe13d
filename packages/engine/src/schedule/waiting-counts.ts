import type { RunQueue } from "./run-queue.ts";

/** Waiting jobs, and the runs that have some. */
export interface WaitingTotals {
  readonly jobs: number;
  readonly runs: number;
}

/** Counts waiting jobs incrementally, so that the cost of a query does not depend on their number. */
export class WaitingCounts {
  readonly #noted = new Map<RunQueue, { readonly jobs: number; readonly inTurn: number }>();
  /** Totals of runs that take turns, by priority, without paused runs and runs at their limit. */
  readonly #totals = new Map<number, WaitingTotals>();
  #jobs = 0;

  /** The number of all waiting jobs. */
  get jobs(): number {
    return this.#jobs;
  }

  /** Call after any change of a run. */
  note(run: RunQueue): void {
    const before = this.#noted.get(run) ?? { jobs: 0, inTurn: 0 };
    const jobs = run.waiting;
    const inTurn = run.isOpen ? jobs : 0;
    if (jobs === 0) this.#noted.delete(run);
    else this.#noted.set(run, { jobs, inTurn });
    this.#jobs += jobs - before.jobs;
    const totals = this.#totals.get(run.priority) ?? { jobs: 0, runs: 0 };
    const runs = totals.runs + Number(inTurn > 0) - Number(before.inTurn > 0);
    if (runs === 0) this.#totals.delete(run.priority);
    else this.#totals.set(run.priority, { jobs: totals.jobs + inTurn - before.inTurn, runs });
  }

  /** Jobs that wait with a higher priority than this. */
  above(priority: number): WaitingTotals {
    let [jobs, runs] = [0, 0];
    for (const [level, totals] of this.#totals) {
      if (level <= priority) continue;
      jobs += totals.jobs;
      runs += totals.runs;
    }
    return { jobs, runs };
  }

  /** The number of other runs with the same priority and waiting jobs. */
  otherRuns(run: RunQueue): number {
    const runs = this.#totals.get(run.priority)?.runs ?? 0;
    return runs - Number((this.#noted.get(run)?.inTurn ?? 0) > 0);
  }
}
