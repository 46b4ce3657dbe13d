import type { Capacity } from "./machine-capacity.ts";
import { waitingText } from "./waiting-reason.ts";

export interface Ticket {
  readonly runId: string;
  readonly jobId: string;
  readonly cores: number;
  readonly ramMib: number;
  /** Called once when the job may start; it holds its share until `release`. */
  readonly start: () => void;
}

interface RunQueue {
  readonly runId: string;
  readonly maxParallel: number;
  readonly waiting: Ticket[];
  /** The jobs that `waiting` still holds. */
  readonly jobIds: Set<string>;
  /** Position of the first ticket that still waits: shifting an array of thousands costs its length. */
  head: number;
  running: number;
}

/**
 * Decides which waiting job starts next. Jobs wait in one queue per run; a turn goes round the runs, so that a run of
 * ten thousand jobs does not starve one of three. A run whose first job does not fit is passed over; what a decision
 * costs depends on the number of runs with waiting jobs, never on the number of those jobs.
 */
export class Scheduler {
  readonly capacity: Capacity;
  readonly #queues = new Map<string, RunQueue>();
  readonly #limits = new Map<string, number>();
  /** In thousandths: sums of fractions would drift. */
  #usedMillicores = 0;
  #usedRamMib = 0;
  #running = 0;

  constructor(capacity: Capacity) {
    this.capacity = capacity;
  }

  get usage(): { readonly cores: number; readonly ramMib: number; readonly running: number; readonly waiting: number } {
    let waiting = 0;
    for (const queue of this.#queues.values()) waiting += queue.waiting.length - queue.head;
    return { cores: this.#usedMillicores / 1000, ramMib: this.#usedRamMib, running: this.#running, waiting };
  }

  /** Bounds how many jobs of a run may run at once, until it is forgotten; before its first job is submitted. */
  limitRun(runId: string, maxParallel: number): void {
    this.#limits.set(runId, maxParallel);
  }

  /** The run has ended. */
  forgetRun(runId: string): void {
    this.#limits.delete(runId);
  }

  submit(ticket: Ticket): void {
    const queue = this.#queueOf(ticket.runId);
    queue.waiting.push(ticket);
    queue.jobIds.add(ticket.jobId);
    this.#startWhatFits();
  }

  /** Gives back the share of a job that was started. */
  release(ticket: Ticket): void {
    this.#usedMillicores -= millicores(ticket.cores);
    this.#usedRamMib -= ticket.ramMib;
    this.#running -= 1;
    const queue = this.#queues.get(ticket.runId);
    if (queue !== undefined) {
      queue.running -= 1;
      this.#dropIfDone(queue);
    }
    this.#startWhatFits();
  }

  /** Takes back every waiting job of a run; running ones keep their share until released. */
  withdraw(runId: string): void {
    const queue = this.#queues.get(runId);
    if (queue === undefined) return;
    queue.waiting.length = 0;
    queue.jobIds.clear();
    queue.head = 0;
    this.#dropIfDone(queue);
  }

  /** Why a job has not started, as of now; undefined for one that does not wait here. Costs the same for any number of jobs. */
  whyWaiting(runId: string, jobId: string): string | undefined {
    const queue = this.#queues.get(runId);
    const first = queue?.waiting[queue.head];
    if (queue === undefined || first === undefined || !queue.jobIds.has(jobId)) return undefined;
    const text = waitingText({
      cores: first.cores,
      ramMib: first.ramMib,
      usedCores: this.#usedMillicores / 1000,
      usedRamMib: this.#usedRamMib,
      running: this.#running,
      runningOfRun: queue.running,
      maxParallel: queue.maxParallel,
      capacity: this.capacity,
    });
    const isBounded = queue.running >= queue.maxParallel;
    return first.jobId === jobId || isBounded ? text : `waits behind ${first.jobId} of its run (${text})`;
  }

  #queueOf(runId: string): RunQueue {
    const known = this.#queues.get(runId);
    if (known !== undefined) return known;
    const queue: RunQueue = {
      runId,
      maxParallel: this.#limits.get(runId) ?? Number.POSITIVE_INFINITY,
      waiting: [],
      jobIds: new Set(),
      head: 0,
      running: 0,
    };
    this.#queues.set(runId, queue);
    return queue;
  }

  #startWhatFits(): void {
    for (let ticket = this.#next(); ticket !== undefined; ticket = this.#next()) {
      this.#usedMillicores += millicores(ticket.cores);
      this.#usedRamMib += ticket.ramMib;
      this.#running += 1;
      ticket.start();
    }
  }

  /** The first job that fits; the run that is served goes to the end of the round. */
  #next(): Ticket | undefined {
    for (const queue of this.#queues.values()) {
      const ticket = this.#take(queue);
      if (ticket === undefined) continue;
      this.#queues.delete(queue.runId);
      this.#queues.set(queue.runId, queue);
      return ticket;
    }
    return undefined;
  }

  #take(queue: RunQueue): Ticket | undefined {
    const ticket = queue.waiting[queue.head];
    if (ticket === undefined || queue.running >= queue.maxParallel || !this.#fits(ticket)) return undefined;
    queue.head += 1;
    queue.jobIds.delete(ticket.jobId);
    queue.running += 1;
    if (queue.head === queue.waiting.length) {
      queue.waiting.length = 0;
      queue.head = 0;
    }
    return ticket;
  }

  /** A job that asks for more cores than the machine has may have all of them alone. */
  #fits(ticket: Ticket): boolean {
    if (this.#running >= this.capacity.slots) return false;
    if (this.#running === 0) return true;
    return (
      this.#usedMillicores + millicores(ticket.cores) <= millicores(this.capacity.cores) &&
      this.#usedRamMib + ticket.ramMib <= this.capacity.ramMib
    );
  }

  #dropIfDone(queue: RunQueue): void {
    if (queue.running > 0 || queue.waiting.length > queue.head) return;
    this.#queues.delete(queue.runId);
  }
}

function millicores(cores: number): number {
  return Math.round(cores * 1000);
}
