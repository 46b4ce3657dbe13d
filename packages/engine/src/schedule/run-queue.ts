import { jobsIn, minus, NO_RESOURCES, plus, shareOf } from "./resources.ts";
import type { Resources } from "./resources.ts";
import type { Ticket } from "./ticket.ts";

/** What a run asks of the scheduler. */
export interface RunRules {
  /** Higher values go first; absent: 0. */
  readonly priority?: number | undefined;
  /** Maximum number of concurrent jobs of the run; absent: as many as fit. */
  readonly maxParallel?: number | undefined;
}

/** A ticket in its lane. */
export interface WaitingJob {
  readonly ticket: Ticket;
  readonly resources: Resources;
  readonly lane: Lane;
  /** Increases with every submitted job. */
  readonly order: number;
  /** How many jobs were added to the lane before it. */
  readonly index: number;
}

/** Jobs of one run with similar requests, in order of arrival. */
export interface Lane {
  readonly run: RunQueue;
  readonly sizeClass: string;
  readonly jobs: WaitingJob[];
  /** Position of the first waiting job: shifting a long array for each job would cost its length. */
  head: number;
  /** How many jobs were removed from the front of the array. */
  dropped: number;
  /** How much of the machine was given to others while the first job had its turn; 1 is the whole machine. */
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
  readonly lanes = new Map<string, Lane>();
  readonly #waiting = new Map<string, WaitingJob>();
  readonly #whole: Resources;
  #used: Resources = NO_RESOURCES;
  /** The share of the machine that it holds, from 0 to 1. */
  share = 0;
  /** Number of the decision that served it last. */
  turn = 0;
  /** How many jobs of a lane are prepared ahead of their turn. */
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

  /** What its jobs hold of the machine. */
  get held(): Resources {
    return this.#used;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the run's own limits allow another job to start. */
  get isOpen(): boolean {
    return !this.isPaused && this.running < this.maxParallel;
  }

  job(jobId: string): WaitingJob | undefined {
    return this.#waiting.get(jobId);
  }

  add(ticket: Ticket, resources: Resources, order: number): Lane {
    const lane = this.#laneFor(resources);
    const job = { ticket, resources, lane, order, index: lane.dropped + lane.jobs.length };
    lane.jobs.push(job);
    this.#waiting.set(ticket.jobId, job);
    return lane;
  }

  /** Removes the first job of a lane. */
  take(lane: Lane, job: WaitingJob): void {
    lane.head += 1;
    lane.passed = 0;
    dropStarted(lane);
    this.#waiting.delete(job.ticket.jobId);
    if (lane.head === lane.jobs.length) this.lanes.delete(lane.sizeClass);
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
    this.lanes.clear();
    this.#waiting.clear();
  }

  #setUsed(used: Resources): void {
    this.#used = used;
    this.share = shareOf(used, this.#whole);
  }

  #laneFor(resources: Resources): Lane {
    const sizeClass = sizeClassOf(resources);
    const known = this.lanes.get(sizeClass);
    if (known !== undefined) return known;
    const lane = { run: this, sizeClass, jobs: [], head: 0, dropped: 0, passed: 0 };
    this.lanes.set(sizeClass, lane);
    return lane;
  }
}

export function firstOf(lane: Lane): WaitingJob | undefined {
  return lane.jobs[lane.head];
}

/** How many jobs of its lane start before this one. */
export function jobsBefore({ lane, index }: WaitingJob): number {
  return index - lane.dropped - lane.head;
}

const DROP_AT = 1024;

/** Drops started jobs occasionally, so that the cost per job stays constant. */
function dropStarted(lane: Lane): void {
  if (lane.head < DROP_AT || lane.head * 2 < lane.jobs.length) return;
  lane.jobs.splice(0, lane.head);
  lane.dropped += lane.head;
  lane.head = 0;
}

/**
 * Jobs with similar requests (within a fifth of cores and memory) share a class: however many sizes a tool computes
 * from its inputs, the number of classes is limited.
 */
function sizeClassOf({ millicores, ramMib, remote }: Resources): string {
  if (remote > 0) return "remote";
  return `${stepOf(millicores)}/${stepOf(ramMib)}`;
}

function stepOf(size: number): number {
  return size <= 0 ? -1 : Math.ceil(Math.log2(size) * 4);
}
