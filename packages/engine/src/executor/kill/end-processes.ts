import { setTimeout as pause } from "node:timers/promises";
import type { JobSelector, KillReport, KillTarget } from "../executor.ts";
import type { FoundProcess } from "./job-processes.ts";
import { EMPTY_SCANS, KillTally } from "./kill-tally.ts";

const POLL_MS = 20;
const GIVE_UP_MS = 60_000;

/** How processes are found and signalled; a test may put a scripted one in its place. */
export interface ProcessTable {
  /** `scans` of all processes, or process `groups` where a system does not show them. */
  readonly evidence: "scans" | "groups";
  find(place: JobSelector): Promise<readonly FoundProcess[]>;
  /** Whether others end at once when this one ends, so that they get the polite signal and it does not; absent: none does. */
  holdsOthers?(pid: number): boolean;
  signal(pid: number, signal: NodeJS.Signals): void;
}

/** Groups of processes that the kernel keeps, which no member leaves by itself. */
export interface KernelGroups {
  /** Whether the run, or the attempt, has any. */
  has(place: JobSelector): boolean;
  find(place: JobSelector): readonly FoundProcess[];
  /** Ends all members at once, those that are being forked included. */
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
  /** Absent: the machine's. */
  readonly clock?: Clock;
}

export const MACHINE_CLOCK: Clock = { now: () => performance.now(), pause };

/**
 * Ends every process of a run or of one attempt: SIGTERM, the grace time, then the kernel's own kill where there is a
 * group, and stop-and-kill, until three looks in a row find nothing and every group is empty. A process that left its
 * session is found as well; one that starts children while it is being killed is stopped first, so that the next look
 * sees all of them.
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

  /** One that has been stopped hears nothing before it goes on. */
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
      // Where there are thousands of processes, looking is not to take more than half of the time.
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

/** One that has ended meanwhile is what we wanted; one of another account stays, and is found again by the next look. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
