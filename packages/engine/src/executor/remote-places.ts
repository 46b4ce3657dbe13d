import type { BackendSettings } from "./backend-settings.ts";
import { mayRunAt } from "./choose-backend.ts";

/** How many jobs may be at other backends at once; where jobs may go to several, the smallest bound holds for all of them. */
export function remotePlaces({ policy, slurm, tes }: BackendSettings): number {
  return mayRunAt(policy, "tes")
    ? mayRunAt(policy, "slurm")
      ? Math.min(slurm.maxJobs, tes.maxJobs)
      : tes.maxJobs
    : slurm.maxJobs;
}
