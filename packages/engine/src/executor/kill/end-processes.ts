import { setTimeout as pause } from "node:timers/promises";
import type { JobSelector, KillReport, KillTarget } from "../executor.ts";
import type { FoundProcess } from "./job-processes.ts";
import { EMPTY_SCANS, KillTally } from "./kill-tally.ts";

const POLL_MS = 20;
const GIVE_UP_MS = 60_000;

/** Finds and signals processes. Tests can replace it. */
export interface ProcessTable {
  /** `scans` of all processes, or process `groups` on systems that do not list them. */
  readonly evidence: "scans" | "groups";
  find(place: JobSelector): Promise<readonly FoundProcess[]>;
  /** Whether other processes die with this one, so that they get SIGTERM and it does not; absent: no process does. */
  holdsOthers?(pid: number): boolean;
  signal(pid: number, signal: NodeJS.Signals): void;
}

/** Groups of processes kept by the kernel, which no member can leave. */
export interface KernelGroups {
  /** Whether the run or the attempt has any. */
  has(place: JobSelector): boolean;
  find(place: JobSelector): readonly FoundProcess[];
  /** Kills all members at once, including those being forked. */
  kill(place: JobSelector): void;
  isEmpty(place: JobSelector): boolean;
}

export interface Clock {
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

export interface Processes {
  readonly table: ProcessTable;
  readonly groups: KernelGroups | undefined;
  /** Absent: the machine's clock. */
  readonly clock?: Clock;
}

export const MACHINE_CLOCK: Clock = { now: () => performance.now(), pause };

/**
 * Ends every process of a run or an attempt: SIGTERM, the grace time, then the kernel's group kill if there is a group,
 * and SIGSTOP with SIGKILL, until three looks in a row find nothing and every group is empty. Finds processes in other
 * sessions too. Stops a process before killing it, so that the next look sees all its children.
 */
export async function endProcesses(target: KillTarget, processes: Processes): Promise<KillReport> {
  const { table, groups } = processes;
  const kill = new Kill(target, processes);
  const hadGroups = groups?.has(target) === true;
  await kill.ask();
  const end = await kill.untilEmpty();
  return { ...end, evidence: [table.evidence, ...(hadGroups ? (["cgroup"] as const) : [])], jobs: kill.tally.jobs };
}

class Kill {
  readonly tally = new KillTally();
  readonly #target: KillTarget;
  readonly #processes: Processes;
  readonly #clock: Clock;

  constructor(target: KillTarget, processes: Processes) {
    this.#target = target;
    this.#processes = processes;
    this.#clock = processes.clock ?? MACHINE_CLOCK;
  }

  /** A stopped process handles no signal until it continues. */
  async ask(): Promise<void> {
    const first = await this.#look();
    const { table } = this.#processes;
    const asked = first.filter(({ pid }) => table.holdsOthers?.(pid) !== true);
    this.#signal(asked, "SIGTERM");
    for (const { pid } of first) table.signal(pid, "SIGCONT");
    const { now, pause: wait } = this.#clock;
    const deadline = now() + this.#target.graceMs;
    let tookMs = 0;
    for (let left = first; left.length > 0 && now() < deadline;) {
      // With thousands of processes, looking must not take more than half of the time.
      await wait(Math.max(POLL_MS, tookMs));
      const startMs = now();
      left = await this.#look();
      tookMs = now() - startMs;
    }
  }

  async untilEmpty(): Promise<Pick<KillReport, "proven" | "left">> {
    const { groups, table } = this.#processes;
    const deadline = this.#clock.now() + GIVE_UP_MS;
    for (let empty = 0; empty < EMPTY_SCANS;) {
      const found = await this.#look();
      const isEmpty = found.length === 0 && groups?.isEmpty(this.#target) !== false;
      empty = isEmpty ? empty + 1 : 0;
      if (!isEmpty) groups?.kill(this.#target);
      for (const { pid } of found) table.signal(pid, "SIGSTOP");
      this.#signal(found, "SIGKILL");
      if (this.#clock.now() > deadline) return { proven: false, left: found.map(({ pid }) => pid) };
      if (empty < EMPTY_SCANS) await this.#clock.pause(isEmpty ? 2 : POLL_MS);
    }
    return { proven: true, left: [] };
  }

  async #look(): Promise<readonly FoundProcess[]> {
    const { table, groups } = this.#processes;
    const inGroups = groups?.find(this.#target) ?? [];
    const listed = await table.find(this.#target);
    const byPid = new Map([...listed, ...inGroups].map((process) => [process.pid, process]));
    this.tally.see([...byPid.values()], Date.now());
    return [...byPid.values()];
  }

  #signal(found: readonly FoundProcess[], signal: "SIGTERM" | "SIGKILL"): void {
    for (const { pid } of found) this.#processes.table.signal(pid, signal);
    this.tally.signalled(found, signal);
  }
}

/** A process that has ended is what we want. One of another account stays, and the next look finds it again. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
