import type { BackendSettings } from "./backend-settings.ts";
import { mayRunAt } from "./choose-backend.ts";

/** How many jobs may be at other backends at a time; if jobs may go to several, the smallest limit applies to all. */
export function remotePlaces({ policy, slurm, tes }: BackendSettings): number {
  return mayRunAt(policy, "tes")
    ? mayRunAt(policy, "slurm")
      ? Math.min(slurm.maxJobs, tes.maxJobs)
      : tes.maxJobs
    : slurm.maxJobs;
}
