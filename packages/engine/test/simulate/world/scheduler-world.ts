import { Scheduler } from "../../../src/schedule/scheduler.ts";
import type { Ticket } from "../../../src/schedule/ticket.ts";
import type { Decisions } from "../machine/decisions.ts";
import { EventLoop, WORLD } from "../machine/event-loop.ts";
import { Violation } from "./violation.ts";

interface WaitingTicket extends Ticket {
  readonly order: number;
  readonly priority: number;
  /** The share of jobs that came later, in whole machines, while it was the first of its run and size. */
  passed: number;
}

const RUNS = 3;
const CORES = 4;
const RAM_MIB = 1000;
const CAPACITY = { cores: CORES, ramMib: RAM_MIB, slots: 8 };
const TICKETS = 800;
/** The worst of 300 worlds was 129; half of all worlds without reservations have more than this. */
const MOST_PASSED = 180;

/** Many more jobs than a world has, at the scheduler alone: nobody waits for ever, and nothing is given twice. */
export function checkScheduler(decisions: Decisions): void {
  new SchedulerWorld(decisions).live();
}

class SchedulerWorld {
  readonly #loop = new EventLoop();
  readonly #decisions: Decisions;
  readonly #scheduler = new Scheduler(CAPACITY);
  readonly #priorities: readonly number[];
  readonly #waiting: WaitingTicket[] = [];
  #ended = 0;

  constructor(decisions: Decisions) {
    this.#decisions = decisions;
    this.#priorities = Array.from({ length: RUNS }, () => decisions.pick("tickets.priority", [0, 0, 0, 1]));
    for (const [at, priority] of this.#priorities.entries()) this.#scheduler.enter(`run-${at}`, { priority });
  }

  live(): void {
    for (let order = 0; order < TICKETS; order += 1) {
      const atMs = this.#decisions.between("tickets.at", 0, 3000);
      this.#loop.after(atMs, () => this.#submit(order), WORLD);
    }
    while (this.#loop.step()) this.#check();
    const { running, waiting, cores, ramMib } = this.#scheduler.usage;
    if (this.#ended !== TICKETS) throw new Violation("no job waits forever", `${TICKETS - this.#ended} never started`);
    if (running + waiting + cores + ramMib !== 0)
      throw new Violation("nothing is held after the end", `the scheduler holds ${cores} cores and ${ramMib} MiB`);
  }

  #submit(order: number): void {
    const run = this.#decisions.between("tickets.run", 0, RUNS - 1);
    const ticket: WaitingTicket = {
      ...{ runId: `run-${run}`, jobId: `job-${order}`, order, passed: 0, priority: this.#priorities[run] ?? 0 },
      cores: this.#decisions.pick("tickets.cores", [1, 1, 1, 1, 2, CORES]),
      ramMib: this.#decisions.pick("tickets.ram", [50, 50, 400]),
      start: () => this.#start(ticket),
    };
    this.#waiting.push(ticket);
    this.#scheduler.submit(ticket);
  }

  #start(ticket: WaitingTicket): void {
    const at = this.#waiting.indexOf(ticket);
    if (at === -1) throw new Violation("a job starts once", ticket.jobId);
    this.#waiting.splice(at, 1);
    const share = Math.max(ticket.cores / CORES, ticket.ramMib / RAM_MIB);
    for (const other of this.#firsts())
      if (other.order < ticket.order && other.priority >= ticket.priority) this.#pass(other, share);
    const end = () => {
      this.#ended += 1;
      this.#scheduler.release(ticket);
    };
    this.#loop.after(this.#decisions.between("tickets.duration", 1, 40), end, WORLD);
  }

  /** The first waiting ticket of each run and size. */
  #firsts(): readonly WaitingTicket[] {
    const firsts = new Map<string, WaitingTicket>();
    for (const ticket of this.#waiting) {
      const key = `${ticket.runId} ${ticket.cores} ${ticket.ramMib}`;
      if (!firsts.has(key)) firsts.set(key, ticket);
    }
    return [...firsts.values()];
  }

  #pass(ticket: WaitingTicket, share: number): void {
    ticket.passed += share;
    if (ticket.passed > MOST_PASSED)
      throw new Violation("no job waits forever", `${ticket.jobId} let ${ticket.passed.toFixed(1)} machines pass`);
  }

  #check(): void {
    const { cores, ramMib, running } = this.#scheduler.usage;
    if (cores > CORES || ramMib > RAM_MIB || running > CAPACITY.slots)
      throw new Violation("nothing is given twice", `${cores} cores and ${ramMib} MiB for ${running} jobs`);
  }
}
