import { readdirSync, readFileSync } from "node:fs";

/** Process ids whose environment holds `marker` as one variable. A zombie has no environment any more and does not count. */
export function markedProcesses(marker: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`\0${marker}\0`))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}\0`;
  } catch {
    // Ended meanwhile, or another user's: neither is a process of ours.
    return "";
  }
}
