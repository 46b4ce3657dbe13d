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

/** Jobs of all runs that get ready ahead of their turn. */
const MOST_NEAR = 64;

/** What a job that runs has of the machine. */
interface Holding {
  readonly run: RunQueue;
  readonly resources: Resources;
  /** The kept room beside which it was started. */
  readonly beside: Reservation | undefined;
}

interface Decision {
  readonly job: WaitingJob;
  /** Lanes whose turn came before, and whose first job does not fit. */
  readonly passed: readonly Lane[];
}

/**
 * Decides which waiting job starts next. Of the highest priority that has a job which fits, it is the run that holds the
 * least of the machine (of its cores, memory or slots, whichever is the greatest part); then the one that was served
 * longest ago. A job that does not fit is passed over, but not for ever: when as much as the whole machine was given past
 * it, room is kept for it. What a decision costs grows with the logarithm of the number of runs and with the number of
 * different sizes of jobs, never with the number of jobs (docs/adr/0024-scheduler.md).
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
  /** Waiting jobs that are being prepared, or are ready. */
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

  /** How many lanes were looked at or compared so far: what decisions have cost. */
  get looks(): number {
    return this.#lanes.looks;
  }

  /** Makes a run known with its rules, before its first job is submitted; one that is known keeps what it has. */
  enter(runId: string, rules: RunRules): void {
    if (!this.#runs.has(runId)) this.#runs.set(runId, new RunQueue(runId, rules, this.#whole));
  }

  /** Forgets a run that has ended; jobs of it that still run keep their share until released. */
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

  /** Gives back the share of a job that was started; nothing happens the second time. */
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

  /** Takes back every waiting job of a run; running ones keep their share until released. */
  withdraw(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    for (const lane of run.lanes.values()) this.#lanes.remove(lane);
    for (const ticket of this.#near) if (ticket.runId === runId) this.#near.delete(ticket);
    run.clear();
    this.#settle(run);
  }

  /** From now on no job of the run starts; those that wait keep their places. */
  pause(runId: string): void {
    this.#setPaused(runId, true);
  }

  resume(runId: string): void {
    this.#setPaused(runId, false);
  }

  isPaused(runId: string): boolean {
    return this.#runs.get(runId)?.isPaused === true;
  }

  /** Why a job has not started, as of now; undefined for one that does not wait here. Costs the same for any number of jobs. */
  whyWaiting(runId: string, jobId: string): string | undefined {
    const job = this.#runs.get(runId)?.job(jobId);
    if (job === undefined) return undefined;
    const { run } = job.lane;
    const above = this.#counts.above(run.priority);
    return waitingText({ ...this.#standing(job), above, runsBeside: this.#counts.runsBeside(run) });
  }

  /** How many jobs wait, by what the first of their kind waits for. Costs as much as there are runs. */
  waitingFor(): Readonly<Record<WaitingFor, number>> {
    const counts = Object.fromEntries(WAITING_FOR.map((what) => [what, 0])) as Record<WaitingFor, number>; // all of them
    for (const run of this.#runs.values()) {
      for (const lane of run.lanes.values()) {
        const first = firstOf(lane);
        if (first !== undefined) counts[waitingFor(this.#standing(first))] += lane.jobs.length - lane.head;
      }
    }
    return counts;
  }

  #standing(job: WaitingJob) {
    const isHeldUp = this.#kept !== undefined && (this.#kept.job === job || !this.#kept.allows(job));
    return { job, whole: this.#whole, used: this.#used, keptFor: isHeldUp ? this.#kept?.job : undefined };
  }

  #setPaused(runId: string, isPaused: boolean): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    run.isPaused = isPaused;
    this.#settle(run);
  }

  /** After some jobs of a run cannot start any more, or can again: what was kept for them is free. */
  #settle(run: RunQueue): void {
    if (this.#kept?.job.lane.run === run) this.#kept = undefined;
    this.#refresh(run);
    this.#startWhatFits();
  }

  /** Puts the lanes of a run where they belong by now. */
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

  /** Lets the next jobs of a lane get ready while others run. A more urgent job still starts before them. */
  #prepareNext({ run, jobs, head }: Lane): void {
    if (run.isPaused) return;
    for (const { ticket } of jobs.slice(head, head + run.ahead)) {
      if (this.#near.has(ticket)) continue;
      if (this.#near.size >= MOST_NEAR) return;
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

  /** The job that room is kept for, once there is enough. */
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

  /** When as much as the whole machine was given past a job, room is kept for it; what is kept for a lower priority gives way. */
  #notePassed(lane: Lane, resources: Resources): void {
    lane.passed += shareOf(resources, this.#whole);
    const job = firstOf(lane);
    if (job === undefined || lane.passed < 1) return;
    const isFree = this.#kept === undefined || this.#kept.job.lane.run.priority < lane.run.priority;
    if (isFree) this.#kept = new Reservation(job, this.#whole);
  }
}
