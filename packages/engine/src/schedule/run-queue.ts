import { jobsIn, minus, NO_RESOURCES, plus, shareOf, type Resources } from "./resources.ts";
import type { Ticket } from "./ticket.ts";

/** Scheduling options of a run. */
export interface RunRules {
  /** Higher values go first; absent: 0. */
  readonly priority?: number | undefined;
  /** Maximum number of concurrent jobs of the run; absent: as many as fit. */
  readonly maxParallel?: number | undefined;
}

/** A ticket in its queue. */
export interface WaitingJob {
  readonly ticket: Ticket;
  readonly resources: Resources;
  readonly queue: SizeQueue;
  /** Increases with every submitted job. */
  readonly order: number;
  /** Number of jobs added to the queue before it. */
  readonly index: number;
}

/** Jobs of one run with similar requests, in order of arrival. */
export interface SizeQueue {
  readonly run: RunQueue;
  readonly sizeClass: string;
  readonly jobs: WaitingJob[];
  /** Position of the first waiting job: shifting a long array for each job would cost its length. */
  head: number;
  /** Number of jobs removed from the front of the array. */
  dropped: number;
  /** The share of the machine that other runs got while it was the first job's turn; 1 is the whole machine. */
  passed: number;
}

/** Prepared jobs use memory and copies of files: prepare only as many as start while another one is being prepared. */
const MIN_AHEAD = 2;
const MAX_AHEAD = 32;

/** The scheduler's state of one run: its share of the machine, and its waiting jobs. */
export class RunQueue {
  readonly runId: string;
  readonly priority: number;
  readonly maxParallel: number;
  readonly queues = new Map<string, SizeQueue>();
  readonly #waiting = new Map<string, WaitingJob>();
  readonly #whole: Resources;
  #used: Resources = NO_RESOURCES;
  /** The run's share of the machine, from 0 to 1. */
  share = 0;
  /** Number of the last decision that served it. */
  turn = 0;
  /** Number of jobs per queue to prepare ahead of their turn. */
  ahead = MIN_AHEAD;
  isPaused = false;

  constructor(runId: string, { priority = 0, maxParallel }: RunRules, whole: Resources) {
    this.runId = runId;
    this.priority = priority;
    this.maxParallel = maxParallel ?? Number.POSITIVE_INFINITY;
    this.#whole = whole;
  }

  get running(): number {
    return jobsIn(this.#used);
  }

  /** Resources in use by its jobs. */
  get held(): Resources {
    return this.#used;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** True if the run's own limits allow another job to start. */
  get isOpen(): boolean {
    return !this.isPaused && this.running < this.maxParallel;
  }

  job(jobId: string): WaitingJob | undefined {
    return this.#waiting.get(jobId);
  }

  add(ticket: Ticket, resources: Resources, order: number): SizeQueue {
    const queue = this.#queueFor(resources);
    const job = { ticket, resources, queue, order, index: queue.dropped + queue.jobs.length };
    queue.jobs.push(job);
    this.#waiting.set(ticket.jobId, job);
    return queue;
  }

  /** Removes the first job of a queue. */
  take(queue: SizeQueue, job: WaitingJob): void {
    queue.head += 1;
    queue.passed = 0;
    dropStarted(queue);
    this.#waiting.delete(job.ticket.jobId);
    if (queue.head === queue.jobs.length) this.queues.delete(queue.sizeClass);
  }

  hold(resources: Resources): void {
    this.#setUsed(plus(this.#used, resources));
  }

  release(resources: Resources): void {
    this.#setUsed(minus(this.#used, resources));
  }

  /** A job started before it was ready: prepare more of them ahead. */
  prepareMore(): void {
    this.ahead = Math.min(this.ahead * 2, MAX_AHEAD);
  }

  /** Forgets all waiting jobs. */
  clear(): void {
    this.queues.clear();
    this.#waiting.clear();
  }

  #setUsed(used: Resources): void {
    this.#used = used;
    this.share = shareOf(used, this.#whole);
  }

  #queueFor(resources: Resources): SizeQueue {
    const sizeClass = sizeClassOf(resources);
    const known = this.queues.get(sizeClass);
    if (known !== undefined) return known;
    const queue = { run: this, sizeClass, jobs: [], head: 0, dropped: 0, passed: 0 };
    this.queues.set(sizeClass, queue);
    return queue;
  }
}

export function firstOf(queue: SizeQueue): WaitingJob | undefined {
  return queue.jobs[queue.head];
}

/** Number of jobs of its queue that start before this one. */
export function jobsBefore({ queue, index }: WaitingJob): number {
  return index - queue.dropped - queue.head;
}

const DROP_AT = 1024;

/** Drops started jobs occasionally, so that the cost per job stays constant. */
function dropStarted(queue: SizeQueue): void {
  if (queue.head < DROP_AT || queue.head * 2 < queue.jobs.length) return;
  queue.jobs.splice(0, queue.head);
  queue.dropped += queue.head;
  queue.head = 0;
}

/**
 * Jobs with similar requests (within a fifth of cores and memory) share a class: however many sizes a tool computes
 * from its inputs, the number of classes is limited.
 */
function sizeClassOf({ millicores, ramMib, remote, expressions }: Resources): string {
  if (expressions > 0) return "expression";
  if (remote > 0) return "remote";
  return `${stepOf(millicores)}/${stepOf(ramMib)}`;
}

function stepOf(size: number): number {
  return size <= 0 ? -1 : Math.ceil(Math.log2(size) * 4);
}
