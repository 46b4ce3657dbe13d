import { availableParallelism, totalmem } from "node:os";

const MIB = 1024 * 1024;

export interface Capacity {
  readonly cores: number;
  readonly ramMib: number;
  /** Jobs at once, whatever they ask for. */
  readonly slots: number;
}

/** What this machine has for jobs, and how many of those that ask for little it takes at once; an eighth of its memory is left to the system and to Weft itself. */
export function capacityOf(jobs: number | undefined): Capacity {
  const cores = availableParallelism();
  return { cores, ramMib: Math.floor((totalmem() / MIB) * 0.875), slots: jobs ?? Math.max(16, cores * 8) };
}
