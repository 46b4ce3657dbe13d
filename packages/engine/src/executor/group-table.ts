import { sendSignal } from "./kill-marked.ts";
import type { ProcessTable } from "./kill-marked.ts";

/**
 * Where there is no /proc, jobs are found by their process groups alone: a program that moves to a session of its own
 * escapes. `groups` answers the group leaders that were started for a marker.
 */
export function groupTable(groups: (marker: string) => readonly number[]): ProcessTable {
  return {
    marked: async (marker) => groups(marker).filter(groupLives),
    signal: (pid, signal) => sendSignal(-pid, signal),
  };
}

function groupLives(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}
