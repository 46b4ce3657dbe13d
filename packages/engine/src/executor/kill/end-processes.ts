import type { JobSelector, KillReport, KillTarget } from "../executor.ts";
import { endAll, type Clock, type Remains } from "../tracker.ts";
import type { FoundProcess } from "./job-processes.ts";

/** Finds and signals processes. Tests can replace it. */
export interface ProcessTable {
  /** `scans` of all processes, or process `groups` on systems that do not list them. */
  readonly evidence: "scans" | "groups";
  find(place: JobSelector): Promise<readonly FoundProcess[]>;
  /** Whether other processes die with this one, so that they get SIGTERM and it does not; absent: no process does. */
  holdsOthers?(pid: number): boolean;
  /** Whether a process that `find` found before, and no longer finds, is still ending; absent: `find` finds it until the end. */
  isEnding?(pid: number): boolean;
  signal(pid: number, signal: NodeJS.Signals): void;
}

/** Groups of processes kept by the kernel, which no member can leave. */
export interface KernelGroups {
  /** True if there is a group for the run or the attempt. */
  has(place: JobSelector): boolean;
  find(place: JobSelector): readonly FoundProcess[];
  /** Kills all members at once, including those being forked. */
  kill(place: JobSelector): void;
  isEmpty(place: JobSelector): boolean;
}

export interface Processes {
  readonly table: ProcessTable;
  readonly groups: KernelGroups | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** Ends every process of a run or an attempt, also those in other sessions. */
export function endProcesses(target: KillTarget, processes: Processes): Promise<KillReport> {
  return endAll(processRemains(target, processes), { graceMs: target.graceMs, clock: processes.clock });
}

/**
 * Asks by SIGTERM once, and forces by the kernel's group kill if there is a group, and by SIGSTOP with SIGKILL: a stopped
 * process starts no other, so the next search finds all its children.
 */
function processRemains(place: JobSelector, { table, groups }: Processes): Remains {
  const known = new Set<number>();
  let isAsked = false;
  return {
    evidence: [table.evidence, ...(groups?.has(place) === true ? (["cgroup"] as const) : [])],
    pauseMs: { found: 20, empty: 2 },
    async look() {
      const inGroups = groups?.find(place) ?? [];
      const byPid = new Map([...(await table.find(place)), ...inGroups].map((process) => [process.pid, process]));
      const found = [...byPid.values()].map(({ pid, job = "" }) => ({ id: pid, jobs: [job] }));
      const ending = [...known.difference(byPid)].filter((pid) => table.isEnding?.(pid) === true);
      for (const pid of byPid.keys()) known.add(pid);
      // A process may be starting right now.
      const unseen = groups?.isEmpty(place) === false ? [{ id: "group", jobs: [] }] : [];
      return { found: [...found, ...ending.map((pid) => ({ id: pid, jobs: [] })), ...unseen], isWhole: true };
    },
    end(found, isForced) {
      const processes = found.flatMap(({ id, jobs }) => (typeof id === "number" ? { id, jobs } : []));
      const signal = (to: readonly { readonly id: number }[], name: NodeJS.Signals) => {
        for (const { id } of to) table.signal(id, name);
      };
      if (isForced) {
        groups?.kill(place);
        signal(processes, "SIGSTOP");
        signal(processes, "SIGKILL");
        return { SIGKILL: processes };
      }
      // Processes that a program starts to clean up are not asked to end.
      if (isAsked) return {};
      isAsked = true;
      const asked = processes.filter(({ id }) => table.holdsOthers?.(id) !== true);
      signal(asked, "SIGTERM");
      // A stopped process handles no signal until it continues.
      signal(processes, "SIGCONT");
      return { SIGTERM: asked };
    },
  };
}

/** A process that has ended needs no signal. A process of another account stays, and the next search finds it again. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
