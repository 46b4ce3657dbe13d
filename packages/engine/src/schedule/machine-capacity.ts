import { availableParallelism, totalmem } from "node:os";
import type { Capacity } from "./scheduler.ts";

const MIB = 1024 * 1024;

/** What this machine has for jobs; an eighth of its memory is left to the system and to Weft itself. */
export function capacityOf(jobs: number | undefined): Capacity {
  return {
    cores: availableParallelism(),
    ramMib: Math.floor((totalmem() / MIB) * 0.875),
    slots: jobs ?? Number.MAX_SAFE_INTEGER,
  };
}
