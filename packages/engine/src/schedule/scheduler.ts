import { Reservation } from "./reservation.ts";
import type { Capacity } from "./machine-capacity.ts";
import { isWithin, jobsIn, minus, NO_RESOURCES, plus, resourcesForJob, resourcesOf, shareOf } from "./resources.ts";
import type { Resources } from "./resources.ts";
import { firstOf, RunQueue } from "./run-queue.ts";
import type { Lane, RunRules, WaitingJob } from "./run-queue.ts";
import type { Ticket } from "./ticket.ts";
import { WaitingCounts } from "./waiting-counts.ts";
import { WaitingLanes } from "./waiting-lanes.ts";
import { WAITING_FOR, waitingFor, waitingText } from "./waiting-reason.ts";
import type { WaitingFor } from "./waiting-reason.ts";

export interface Usage {
  readonly cores: number;
  readonly ramMib: number;
  readonly running: number;
  readonly waiting: number;
}

/** A run as the queue holds it. */
export interface QueueEntry {
  readonly runId: string;
  readonly priority: number;
  readonly isPaused: boolean;
  readonly running: number;
  readonly waiting: number;
  /** What its jobs hold of the machine. */
  readonly cores: number;
  readonly ramMib: number;
  /** Waiting jobs that ask for about the same, with the first of them. */
  readonly groups: readonly { readonly waitingFor: WaitingFor; readonly jobs: number; readonly jobId: string }[];
}

/** Maximum number of jobs of all runs that are prepared ahead of their turn. */
const MAX_NEAR = 64;

/** What a running job holds of the machine. */
interface Holding {
  readonly run: RunQueue;
  readonly resources: Resources;
  /** The reservation beside which it was started. */
  readonly beside: Reservation | undefined;
}

interface Decision {
  readonly job: WaitingJob;
  /** Lanes whose turn came earlier, and whose first job does not fit. */
  readonly passed: readonly Lane[];
}

/**
 * Decides which waiting job starts next. Among the highest priority with a fitting job, it serves the run that holds
 * the smallest share of the machine (cores, memory or slots, whichever is largest), then the one served longest ago.
 * Jobs that do not fit are passed over, but not forever: after as much as the whole machine was given to others, room
 * is reserved. The cost of a decision grows with the logarithm of the number of runs and with the number of distinct
 * job sizes, never with the number of jobs (ADR 24).
 */
export class Scheduler {
  readonly capacity: Capacity;
  readonly #whole: Resources;
  readonly #runs = new Map<string, RunQueue>();
  readonly #lanes = new WaitingLanes();
  readonly #counts = new WaitingCounts();
  readonly #holdings = new Map<Ticket, Holding>();
  #used: Resources = NO_RESOURCES;
  #kept: Reservation | undefined;
  /** Waiting jobs that are prepared or being prepared. */
  readonly #near = new Set<Ticket>();
  #submitted = 0;
  #decisions = 0;

  constructor(capacity: Capacity) {
    this.capacity = capacity;
    this.#whole = resourcesOf(capacity);
  }

  get usage(): Usage {
    const { millicores, ramMib } = this.#used;
    return { cores: millicores / 1000, ramMib, running: jobsIn(this.#used), waiting: this.#counts.jobs };
  }

  /** How many lanes were examined or compared so far: the cost of decisions. */
  get looks(): number {
    return this.#lanes.looks;
  }

  /** Registers a run with its rules, before its first job is submitted; does nothing for a known run. */
  enter(runId: string, rules: RunRules): void {
    if (!this.#runs.has(runId)) this.#runs.set(runId, new RunQueue(runId, rules, this.#whole));
  }

  /** Forgets an ended run; its running jobs keep their reservation until released. */
  leave(runId: string): void {
    this.withdraw(runId);
    this.#runs.delete(runId);
  }

  submit(ticket: Ticket): void {
    this.enter(ticket.runId, {});
    const run = this.#runs.get(ticket.runId);
    if (run === undefined) return;
    const resources = resourcesForJob(ticket, this.#whole);
    if (ticket.isRunning === true) return this.#hold(ticket, { run, resources, beside: undefined });
    const lane = run.add(ticket, resources, ++this.#submitted);
    this.#refresh(run);
    this.#startWhatFits();
    this.#prepareNext(lane);
  }

  /** Releases the reservation of a started job; a second call does nothing. */
  release(ticket: Ticket): void {
    const holding = this.#holdings.get(ticket);
    if (holding === undefined) return;
    this.#holdings.delete(ticket);
    const { run, resources, beside } = holding;
    this.#used = minus(this.#used, resources);
    beside?.endedAlongside(resources);
    run.release(resources);
    this.#refresh(run);
    this.#startWhatFits();
  }

  /** Withdraws every waiting job of a run; running ones keep their reservation until released. */
  withdraw(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    for (const lane of run.lanes.values()) this.#lanes.remove(lane);
    for (const ticket of this.#near) if (ticket.runId === runId) this.#near.delete(ticket);
    run.clear();
    this.#settle(run);
  }

  /** Starts no more jobs of the run; waiting ones keep their places. */
  pause(runId: string): void {
    this.#setPaused(runId, true);
  }

  resume(runId: string): void {
    this.#setPaused(runId, false);
  }

  isPaused(runId: string): boolean {
    return this.#runs.get(runId)?.isPaused === true;
  }

  /**
   * Why a job has not started, as of now; undefined if it does not wait here. The cost does not depend on the number of
   * jobs.
   */
  whyWaiting(runId: string, jobId: string): string | undefined {
    const job = this.#runs.get(runId)?.job(jobId);
    if (job === undefined) return undefined;
    const { run } = job.lane;
    const above = this.#counts.above(run.priority);
    return waitingText({ ...this.#snapshot(job), above, runsBeside: this.#counts.runsBeside(run) });
  }

  /** How many other runs have jobs here that wait or run. */
  runsBeside(runId: string): number {
    const isBusy = (run: RunQueue) => run.runId !== runId && (run.running > 0 || run.waiting > 0);
    return [...this.#runs.values()].filter(isBusy).length;
  }

  /** Runs that have jobs here, in no order. Costs as much as there are runs and sizes of jobs. */
  queue(): readonly QueueEntry[] {
    return [...this.#runs.values()].flatMap((run) => {
      if (run.running === 0 && run.waiting === 0) return [];
      const { runId, priority, isPaused, running, waiting, held } = run;
      const groups = [...run.lanes.values()].flatMap((lane) => {
        const first = firstOf(lane);
        if (first === undefined) return [];
        const { jobId } = first.ticket;
        return [{ waitingFor: waitingFor(this.#snapshot(first)), jobs: lane.jobs.length - lane.head, jobId }];
      });
      return [
        { runId, priority, isPaused, running, waiting, cores: held.millicores / 1000, ramMib: held.ramMib, groups },
      ];
    });
  }

  /** How many jobs wait, grouped by what the first of their kind waits for. The cost grows with the number of runs. */
  waitingFor(): Readonly<Record<WaitingFor, number>> {
    const counts = Object.fromEntries(WAITING_FOR.map((what) => [what, 0])) as Record<WaitingFor, number>; // all of them
    for (const run of this.#runs.values()) {
      for (const lane of run.lanes.values()) {
        const first = firstOf(lane);
        if (first !== undefined) counts[waitingFor(this.#snapshot(first))] += lane.jobs.length - lane.head;
      }
    }
    return counts;
  }

  #snapshot(job: WaitingJob) {
    const isHeldUp = this.#kept !== undefined && (this.#kept.job === job || !this.#kept.allows(job));
    return { job, whole: this.#whole, used: this.#used, keptFor: isHeldUp ? this.#kept?.job : undefined };
  }

  #setPaused(runId: string, isPaused: boolean): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    run.isPaused = isPaused;
    this.#settle(run);
  }

  /** When jobs of a run can no longer start, or can again: releases what was reserved for them. */
  #settle(run: RunQueue): void {
    if (this.#kept?.job.lane.run === run) this.#kept = undefined;
    this.#refresh(run);
    this.#startWhatFits();
  }

  /** Moves the lanes of a run to their current places. */
  #refresh(run: RunQueue): void {
    for (const lane of run.lanes.values()) {
      if (run.isOpen) this.#lanes.place(lane);
      else this.#lanes.remove(lane);
    }
    this.#counts.note(run);
  }

  #startWhatFits(): void {
    const served = new Set<Lane>();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#start(next);
      served.add(next.job.lane);
    }
    for (const lane of served) this.#prepareNext(lane);
  }

  /** Prepares the next jobs of a lane while others run. A more urgent job still starts before them. */
  #prepareNext({ run, jobs, head }: Lane): void {
    if (run.isPaused) return;
    for (const { ticket } of jobs.slice(head, head + run.ahead)) {
      if (this.#near.has(ticket)) continue;
      if (this.#near.size >= MAX_NEAR) return;
      this.#near.add(ticket);
      ticket.prepare?.();
    }
  }

  #start({ job, passed }: Decision): void {
    const { lane, resources, ticket } = job;
    const { run } = lane;
    if (this.#kept?.job === job) this.#kept = undefined;
    const beside =
      this.#kept !== undefined && run.priority <= this.#kept.job.lane.run.priority ? this.#kept : undefined;
    beside?.startedAlongside(resources);
    this.#lanes.remove(lane);
    run.take(lane, job);
    run.turn = ++this.#decisions;
    if (this.#near.delete(ticket) && ticket.isReady === false) run.prepareMore();
    for (const other of passed) this.#notePassed(other, resources);
    this.#hold(ticket, { run, resources, beside });
  }

  #hold(ticket: Ticket, holding: Holding): void {
    const { run, resources } = holding;
    this.#holdings.set(ticket, holding);
    this.#used = plus(this.#used, resources);
    run.hold(resources);
    this.#refresh(run);
    ticket.start();
  }

  #next(): Decision | undefined {
    if (this.#used.slots >= this.#whole.slots && this.#used.remote >= this.#whole.remote) return undefined;
    const passed: Lane[] = [];
    for (const { priority, lanes } of this.#lanes.firsts()) {
      const job = this.#keptJobOf(priority) ?? this.#choose(lanes);
      passed.push(...lanes.filter((lane) => job === undefined || this.#isPassedFor(lane, job.lane)));
      if (job !== undefined) return { job, passed };
    }
    return undefined;
  }

  /** The job with a reservation, once there is enough room. */
  #keptJobOf(priority: number): WaitingJob | undefined {
    const job = this.#kept?.job;
    if (job === undefined || job.lane.run.priority !== priority || !job.lane.run.isOpen) return undefined;
    return this.#mayStart(job) ? job : undefined;
  }

  #choose(lanes: readonly Lane[]): WaitingJob | undefined {
    let best: WaitingJob | undefined;
    for (const lane of lanes) {
      const job = firstOf(lane);
      if (job === undefined || !this.#mayStart(job)) continue;
      if (best === undefined || this.#lanes.isBefore(lane, best.lane)) best = job;
    }
    return best;
  }

  #mayStart(job: WaitingJob): boolean {
    return isWithin(plus(this.#used, job.resources), this.#whole) && (this.#kept?.allows(job) ?? true);
  }

  #isPassedFor(lane: Lane, chosen: Lane): boolean {
    return lane !== chosen && this.#lanes.isBefore(lane, chosen);
  }

  /**
   * After as much as the whole machine was given to others, reserves room for a job; a reservation of lower priority
   * gives way.
   */
  #notePassed(lane: Lane, resources: Resources): void {
    lane.passed += shareOf(resources, this.#whole);
    const job = firstOf(lane);
    if (job === undefined || lane.passed < 1) return;
    const isFree = this.#kept === undefined || this.#kept.job.lane.run.priority < lane.run.priority;
    if (isFree) this.#kept = new Reservation(job, this.#whole);
  }
}
