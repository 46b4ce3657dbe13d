import { jobsIn, minus, NO_RESOURCES, plus, shareOf } from "./resources.ts";
import type { Resources } from "./resources.ts";
import type { Ticket } from "./ticket.ts";

/** What a run asks of the scheduler. */
export interface RunRules {
  /** Higher goes first; absent: 0. */
  readonly priority?: number | undefined;
  /** Jobs of the run at once; absent: as many as fit. */
  readonly maxParallel?: number | undefined;
}

/** A ticket in its lane. */
export interface WaitingJob {
  readonly ticket: Ticket;
  readonly resources: Resources;
  readonly lane: Lane;
  /** Grows with every job that is submitted. */
  readonly order: number;
  /** How many jobs the lane was given before it. */
  readonly index: number;
}

/** Jobs of one run that ask for about the same, first come first. */
export interface Lane {
  readonly run: RunQueue;
  readonly sizeClass: string;
  readonly jobs: WaitingJob[];
  /** Position of the first that still waits: shifting an array of thousands for each job costs its length. */
  head: number;
  /** How many jobs were taken off the front of the array. */
  dropped: number;
  /** How much of the machine was given past the first job while its turn had come; 1 is all of it. */
  passed: number;
}

/** Ready jobs hold memory and copies of files: only as many as start while another one is prepared. */
const LEAST_AHEAD = 2;
const MOST_AHEAD = 32;

/** What the scheduler knows of one run: what it holds of the machine, and what of it waits. */
export class RunQueue {
  readonly runId: string;
  readonly priority: number;
  readonly maxParallel: number;
  readonly lanes = new Map<string, Lane>();
  readonly #waiting = new Map<string, WaitingJob>();
  readonly #whole: Resources;
  #used: Resources = NO_RESOURCES;
  /** The part of the machine that it holds, from 0 to 1. */
  share = 0;
  /** The number of the decision that served it last. */
  turn = 0;
  /** How many jobs of a lane are prepared ahead of their turn. */
  ahead = LEAST_AHEAD;
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

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether another job of it may start, as far as the run itself is asked. */
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

  /** Takes the first job of a lane out. */
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

  /** A job started before it was ready: more of them are to be prepared ahead. */
  prepareMore(): void {
    this.ahead = Math.min(this.ahead * 2, MOST_AHEAD);
  }

  /** Forgets what waits. */
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

/** Lets go of jobs that have started, now and then, so that each costs the same. */
function dropStarted(lane: Lane): void {
  if (lane.head < DROP_AT || lane.head * 2 < lane.jobs.length) return;
  lane.jobs.splice(0, lane.head);
  lane.dropped += lane.head;
  lane.head = 0;
}

/**
 * Jobs that ask for about the same, within a fifth of cores and of memory, are of one class: however many different
 * sizes a tool works out from its inputs, there are only so many classes to look at.
 */
function sizeClassOf({ millicores, ramMib, remote }: Resources): string {
  if (remote > 0) return "remote";
  return `${stepOf(millicores)}/${stepOf(ramMib)}`;
}

function stepOf(size: number): number {
  return size <= 0 ? -1 : Math.ceil(Math.log2(size) * 4);
}
