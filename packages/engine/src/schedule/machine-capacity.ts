import { availableParallelism, totalmem } from "node:os";
import type { Capacity } from "./scheduler.ts";

const MIB = 1024 * 1024;

/** What this machine has for jobs, and how many of those that ask for little it takes at once; an eighth of its memory is left to the system and to Weft itself. */
export function capacityOf(jobs: number | undefined): Capacity {
  const cores = availableParallelism();
  return { cores, ramMib: Math.floor((totalmem() / MIB) * 0.875), slots: jobs ?? Math.max(16, cores * 8) };
}
