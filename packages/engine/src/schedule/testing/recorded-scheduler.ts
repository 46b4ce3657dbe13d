import assert from "node:assert/strict";
import { Scheduler } from "../scheduler.ts";
import type { Capacity } from "../machine-capacity.ts";
import type { RunRules } from "../run-queue.ts";
import type { Ticket } from "../ticket.ts";

/** A scheduler that records its starts. A job's name is a letter for its run and a number: `a1`. */
export class RecordedScheduler {
  readonly scheduler: Scheduler;
  readonly started: string[] = [];
  /** Jobs whose preparation has begun. */
  readonly prepared: string[] = [];
  /** Whether preparing a job takes no time. */
  isFast = true;
  readonly #tickets = new Map<string, Ticket>();

  constructor(capacity: Capacity) {
    this.scheduler = new Scheduler(capacity);
  }

  enter(run: string, rules: RunRules): void {
    this.scheduler.enter(run, rules);
  }

  submit(name: string, cores = 1, ramMib = 100): void {
    this.#submit(name, { cores, ramMib, isReady: this.isFast, prepare: () => this.prepared.push(name) });
  }

  /** A job for another backend, or an expression. */
  submitElsewhere(name: string, where: Pick<Ticket, "isRemote" | "isExpression">): void {
    this.#submit(name, { cores: 64, ramMib: 1e6, ...where });
  }

  /** A job that an earlier server has started. */
  inspect(name: string, cores = 1, ramMib = 100): void {
    this.#submit(name, { cores, ramMib, isRunning: true });
  }

  #submit(name: string, job: Omit<Ticket, "runId" | "jobId" | "start">): void {
    const ticket: Ticket = { runId: name.slice(0, 1), jobId: name, ...job, start: () => this.started.push(name) };
    this.#tickets.set(name, ticket);
    this.scheduler.submit(ticket);
  }

  submitAll(names: readonly string[], cores?: number, ramMib?: number): void {
    for (const name of names) this.submit(name, cores, ramMib);
  }

  release(...names: readonly string[]): void {
    for (const name of names)
      this.scheduler.release(this.#tickets.get(name) ?? assert.fail(`${name} was never submitted`));
  }

  /** Why a job waits; its name contains its run. */
  why(name: string): string | undefined {
    return this.scheduler.whyWaiting(name.slice(0, 1), name);
  }
}
