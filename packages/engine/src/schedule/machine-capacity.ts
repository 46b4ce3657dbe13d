import { availableParallelism, totalmem } from "node:os";

const MIB = 1024 * 1024;

export interface Capacity {
  readonly cores: number;
  readonly ramMib: number;
  /** Maximum number of concurrent jobs, whatever they request. */
  readonly slots: number;
  /** Maximum number of concurrent jobs at other backends; absent: none. */
  readonly remote?: number;
}

/**
 * This machine's resources for jobs, and how many small jobs it runs concurrently; an eighth of its memory is left to
 * the system and to Weft. `remote`: maximum number of concurrent jobs at other backends.
 */
export function capacityOf(jobs: number | undefined, remote = 0): Capacity {
  const cores = availableParallelism();
  return { cores, ramMib: Math.floor((totalmem() / MIB) * 0.875), slots: jobs ?? Math.max(16, cores * 8), remote };
}
