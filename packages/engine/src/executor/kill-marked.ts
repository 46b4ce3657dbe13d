import { setTimeout as pause } from "node:timers/promises";
import type { KillReport } from "./executor.ts";

const POLL_MS = 20;
const EMPTY_SCANS = 3;
const GIVE_UP_MS = 60_000;

/** How processes are found and signalled; a test may put a scripted one in its place. */
export interface ProcessTable {
  /** Process ids whose environment holds the marker as one variable. */
  marked(marker: string): Promise<readonly number[]>;
  signal(pid: number, signal: NodeJS.Signals): void;
}

/**
 * Ends every process whose environment holds `marker`: SIGTERM, the grace time, then stop-and-kill until three scans in
 * a row find nothing. A process that left its group or session is found as well; one that starts children while it is
 * being killed is stopped first, so that the next scan sees all of them.
 */
export async function killMarked(marker: string, graceMs: number, table: ProcessTable): Promise<KillReport> {
  const first = await table.marked(marker);
  for (const pid of first) table.signal(pid, "SIGTERM");
  await waitUntilGone(marker, first.length === 0 ? 0 : graceMs, table);
  const rest = await killUntilEmpty(marker, table);
  return { signalled: Math.max(first.length, rest.killed), killed: rest.killed, proven: rest.proven };
}

async function waitUntilGone(marker: string, graceMs: number, table: ProcessTable): Promise<void> {
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline && (await table.marked(marker)).length > 0) await pause(POLL_MS);
}

async function killUntilEmpty(marker: string, table: ProcessTable): Promise<{ killed: number; proven: boolean }> {
  const killed = new Set<number>();
  const deadline = performance.now() + GIVE_UP_MS;
  for (let empty = 0; empty < EMPTY_SCANS;) {
    const found = await table.marked(marker);
    empty = found.length === 0 ? empty + 1 : 0;
    for (const pid of found) table.signal(pid, "SIGSTOP");
    for (const pid of found) {
      killed.add(pid);
      table.signal(pid, "SIGKILL");
    }
    if (performance.now() > deadline) return { killed: killed.size, proven: false };
    if (empty < EMPTY_SCANS) await pause(found.length === 0 ? 2 : POLL_MS);
  }
  return { killed: killed.size, proven: true };
}

/** A process that has ended meanwhile is what we wanted. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
