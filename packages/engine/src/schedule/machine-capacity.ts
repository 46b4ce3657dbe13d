import { availableParallelism, totalmem } from "node:os";

const MIB = 1024 * 1024;

export interface Capacity {
  readonly cores: number;
  readonly ramMib: number;
  /** Jobs at once, whatever they ask for. */
  readonly slots: number;
  /** Jobs at other backends at once; absent: none can be. */
  readonly remote?: number;
}

/** What this machine has for jobs, and how many of those that ask for little it takes at once; an eighth of its memory is left to the system and to Weft itself. `remote`: jobs at other backends at once. */
export function capacityOf(jobs: number | undefined, remote = 0): Capacity {
  const cores = availableParallelism();
  return { cores, ramMib: Math.floor((totalmem() / MIB) * 0.875), slots: jobs ?? Math.max(16, cores * 8), remote };
}
