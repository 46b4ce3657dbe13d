import { Reservation } from "./reservation.ts";
import type { Capacity } from "./machine-capacity.ts";
import {
  isWithin,
  jobsIn,
  minus,
  NO_RESOURCES,
  plus,
  resourcesForJob,
  resourcesOf,
  shareOf,
  type Resources,
} from "./resources.ts";
import { firstOf, RunQueue, type SizeQueue, type RunRules, type WaitingJob } from "./run-queue.ts";
import type { Ticket } from "./ticket.ts";
import { WaitingCounts } from "./waiting-counts.ts";
import { WaitingQueues } from "./waiting-queues.ts";
import { WAITING_FOR, waitingFor, waitingText, type WaitingFor } from "./waiting-reason.ts";

export interface Usage {
  readonly cores: number;
  readonly ramMib: number;
  readonly running: number;
  readonly waiting: number;
}

/** A run in the queue. */
export interface QueueEntry {
  readonly runId: string;
  readonly priority: number;
  readonly isPaused: boolean;
  readonly running: number;
  readonly waiting: number;
  /** The part of the machine that its jobs occupy. */
  readonly cores: number;
  readonly ramMib: number;
  /** Groups of waiting jobs with similar requests, each with its first job. */
  readonly groups: readonly { readonly waitingFor: WaitingFor; readonly jobs: number; readonly jobId: string }[];
}

/** Maximum number of jobs of all runs that are prepared ahead of their turn. */
const MAX_NEAR = 64;

/** The part of the machine that a running job occupies. */
interface Holding {
  readonly run: RunQueue;
  readonly resources: Resources;
  /** The reservation at the time of its start. */
  readonly reservation: Reservation | undefined;
}

interface Decision {
  readonly job: WaitingJob;
  /** Queues whose turn came earlier, and whose first job does not fit. */
  readonly passed: readonly SizeQueue[];
}

/**
 * Decides which waiting job starts next. Among the highest priority with a fitting job, it serves the run that holds
 * the smallest share of the machine (cores, memory or slots, whichever is largest), then the one served longest ago.
 * Jobs that do not fit are passed over, but not forever: once other jobs got as much as the whole machine, resources
 * are reserved. The cost of a decision grows with the logarithm of the number of runs and with the number of distinct
 * job sizes, never with the number of jobs (ADR 24).
 */
export class Scheduler {
  readonly capacity: Capacity;
  readonly #whole: Resources;
  readonly #runs = new Map<string, RunQueue>();
  readonly #queues = new WaitingQueues();
  readonly #counts = new WaitingCounts();
  readonly #holdings = new Map<Ticket, Holding>();
  #used: Resources = NO_RESOURCES;
  #reservation: Reservation | undefined;
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

  /** Number of queues examined or compared so far: the cost of decisions. */
  get looks(): number {
    return this.#queues.looks;
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
    if (ticket.isRunning === true) return this.#hold(ticket, { run, resources, reservation: undefined });
    const queue = run.add(ticket, resources, ++this.#submitted);
    this.#refresh(run);
    this.#startWhatFits();
    this.#prepareNext(queue);
  }

  /** Releases the reservation of a started job; a second call does nothing. */
  release(ticket: Ticket): void {
    const holding = this.#holdings.get(ticket);
    if (holding === undefined) return;
    this.#holdings.delete(ticket);
    const { run, resources, reservation } = holding;
    this.#used = minus(this.#used, resources);
    reservation?.endedAlongside(resources);
    run.release(resources);
    this.#refresh(run);
    this.#startWhatFits();
  }

  /** Withdraws every waiting job of a run; running ones keep their reservation until released. */
  withdraw(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    for (const queue of run.queues.values()) this.#queues.remove(queue);
    for (const ticket of this.#near) if (ticket.runId === runId) this.#near.delete(ticket);
    run.clear();
    this.#settle(run);
  }

  /** Starts no more jobs of the run; waiting ones keep their positions. */
  pause(runId: string): void {
    this.#setPaused(runId, true);
  }

  resume(runId: string): void {
    this.#setPaused(runId, false);
  }

  /**
   * The current reason why a job has not started; undefined if it does not wait here. The cost is independent of the
   * number of jobs.
   */
  whyWaiting(runId: string, jobId: string): string | undefined {
    const job = this.#runs.get(runId)?.job(jobId);
    if (job === undefined) return undefined;
    const { run } = job.queue;
    const above = this.#counts.above(run.priority);
    return waitingText({ ...this.#snapshot(job), above, otherRuns: this.#counts.otherRuns(run) });
  }

  /** How many other runs have jobs here that wait or run, and whether the jobs of this run start only after some of theirs. */
  competition(runId: string): { readonly otherRuns: number; readonly isBehind: boolean } {
    const isBusy = (run: RunQueue) => run.runId !== runId && (run.running > 0 || run.waiting > 0);
    const otherRuns = [...this.#runs.values()].filter(isBusy).length;
    const own = this.#runs.get(runId);
    const waits = own !== undefined && own.isOpen && own.waiting > 0;
    const isBehind = waits && otherRuns > 0 && (own.running === 0 || this.#counts.above(own.priority).jobs > 0);
    return { otherRuns, isBehind };
  }

  /** Runs that have jobs here, in no particular order. The cost grows with the number of runs and of job sizes. */
  queue(): readonly QueueEntry[] {
    return [...this.#runs.values()].flatMap((run) => {
      if (run.running === 0 && run.waiting === 0) return [];
      const { runId, priority, isPaused, running, waiting, held } = run;
      const groups = [...run.queues.values()].flatMap((queue) => {
        const first = firstOf(queue);
        if (first === undefined) return [];
        const { jobId } = first.ticket;
        return [{ waitingFor: waitingFor(this.#snapshot(first)), jobs: queue.jobs.length - queue.head, jobId }];
      });
      return [
        { runId, priority, isPaused, running, waiting, cores: held.millicores / 1000, ramMib: held.ramMib, groups },
      ];
    });
  }

  /**
   * The number of waiting jobs, grouped by the reason for which the first job of each kind waits. The cost grows with
   * the number of runs.
   */
  waitingFor(): Readonly<Record<WaitingFor, number>> {
    const counts = Object.fromEntries(WAITING_FOR.map((what) => [what, 0])) as Record<WaitingFor, number>; // all of them
    for (const run of this.#runs.values()) {
      for (const queue of run.queues.values()) {
        const first = firstOf(queue);
        if (first !== undefined) counts[waitingFor(this.#snapshot(first))] += queue.jobs.length - queue.head;
      }
    }
    return counts;
  }

  #snapshot(job: WaitingJob) {
    const isHeldUp =
      this.#reservation !== undefined && (this.#reservation.job === job || !this.#reservation.allows(job));
    return { job, whole: this.#whole, used: this.#used, keptFor: isHeldUp ? this.#reservation?.job : undefined };
  }

  #setPaused(runId: string, isPaused: boolean): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    run.isPaused = isPaused;
    this.#settle(run);
  }

  /** Call this when jobs of a run can no longer start, or can start again: releases their reservation. */
  #settle(run: RunQueue): void {
    if (this.#reservation?.job.queue.run === run) this.#reservation = undefined;
    this.#refresh(run);
    this.#startWhatFits();
  }

  /** Updates the positions of a run's queues. */
  #refresh(run: RunQueue): void {
    for (const queue of run.queues.values()) {
      if (run.isOpen) this.#queues.place(queue);
      else this.#queues.remove(queue);
    }
    this.#counts.note(run);
  }

  #startWhatFits(): void {
    const served = new Set<SizeQueue>();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#start(next);
      served.add(next.job.queue);
    }
    for (const queue of served) this.#prepareNext(queue);
  }

  /** Prepares the next jobs of a queue while others run. A more urgent job still starts before them. */
  #prepareNext({ run, jobs, head }: SizeQueue): void {
    if (run.isPaused) return;
    for (const { ticket } of jobs.slice(head, head + run.ahead)) {
      if (this.#near.has(ticket)) continue;
      if (this.#near.size >= MAX_NEAR) return;
      this.#near.add(ticket);
      ticket.prepare?.();
    }
  }

  #start({ job, passed }: Decision): void {
    const { queue, resources, ticket } = job;
    const { run } = queue;
    if (this.#reservation?.job === job) this.#reservation = undefined;
    const reservation =
      this.#reservation !== undefined && run.priority <= this.#reservation.job.queue.run.priority
        ? this.#reservation
        : undefined;
    reservation?.startedAlongside(resources);
    this.#queues.remove(queue);
    run.take(queue, job);
    run.turn = ++this.#decisions;
    if (this.#near.delete(ticket) && ticket.isReady === false) run.prepareMore();
    for (const other of passed) this.#notePassed(other, resources);
    this.#hold(ticket, { run, resources, reservation });
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
    const passed: SizeQueue[] = [];
    for (const { priority, queues } of this.#queues.firsts()) {
      const job = this.#reservedJobOf(priority) ?? this.#choose(queues);
      passed.push(...queues.filter((queue) => job === undefined || this.#isPassedFor(queue, job.queue)));
      if (job !== undefined) return { job, passed };
    }
    return undefined;
  }

  /** The job with a reservation, once it fits. */
  #reservedJobOf(priority: number): WaitingJob | undefined {
    const job = this.#reservation?.job;
    if (job === undefined || job.queue.run.priority !== priority || !job.queue.run.isOpen) return undefined;
    return this.#mayStart(job) ? job : undefined;
  }

  #choose(queues: readonly SizeQueue[]): WaitingJob | undefined {
    let best: WaitingJob | undefined;
    for (const queue of queues) {
      const job = firstOf(queue);
      if (job === undefined || !this.#mayStart(job)) continue;
      if (best === undefined || this.#queues.isBefore(queue, best.queue)) best = job;
    }
    return best;
  }

  #mayStart(job: WaitingJob): boolean {
    return isWithin(plus(this.#used, job.resources), this.#whole) && (this.#reservation?.allows(job) ?? true);
  }

  #isPassedFor(queue: SizeQueue, chosen: SizeQueue): boolean {
    return queue !== chosen && this.#queues.isBefore(queue, chosen);
  }

  /**
   * Reserves resources for a job once others have received as much as the whole machine in its turn; replaces a
   * reservation of lower priority.
   */
  #notePassed(queue: SizeQueue, resources: Resources): void {
    queue.passed += shareOf(resources, this.#whole);
    const job = firstOf(queue);
    if (job === undefined || queue.passed < 1) return;
    const isFree = this.#reservation === undefined || this.#reservation.job.queue.run.priority < queue.run.priority;
    if (isFree) this.#reservation = new Reservation(job, this.#whole);
  }
}
