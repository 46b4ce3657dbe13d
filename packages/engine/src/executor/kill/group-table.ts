import type { JobSelector } from "../executor.ts";
import { sendSignal } from "./end-processes.ts";
import type { ProcessTable } from "./end-processes.ts";
import type { FoundProcess } from "./job-processes.ts";

/**
 * Where there is no /proc, jobs are found by their process groups alone: a program that moves to a session of its own
 * escapes. `leaders` answers the group leaders that were started for a run or an attempt.
 */
export function groupTable(leaders: (place: JobSelector) => readonly FoundProcess[]): ProcessTable {
  return {
    evidence: "groups",
    find: async (place) => leaders(place).filter(({ pid }) => groupLives(pid)),
    signal: (pid, signal) => sendSignal(-pid, signal),
  };
}

/** Whether a process group has any member that has not been waited for. */
export function groupLives(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}
