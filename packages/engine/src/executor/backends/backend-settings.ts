import { DEFAULT_SLURM, type SlurmSettings } from "../slurm/slurm-settings.ts";
import { DEFAULT_TES, type TesSettings } from "../tes/tes-settings.ts";
import { ALL_LOCAL, mayRunAt, type BackendPolicy } from "./choose-backend.ts";

/** The policy for choosing backends, and the settings of remote systems. */
export interface BackendSettings {
  readonly policy: BackendPolicy;
  readonly slurm: SlurmSettings;
  readonly tes: TesSettings;
}

/** All jobs run on this machine. */
export const LOCAL_BACKEND: BackendSettings = { policy: ALL_LOCAL, slurm: DEFAULT_SLURM, tes: DEFAULT_TES };

/**
 * The maximum number of jobs at other backends at a time; if jobs may run at several, the smallest limit applies to
 * all.
 */
export function remotePlaces({ policy, slurm, tes }: BackendSettings): number {
  return mayRunAt(policy, "tes")
    ? mayRunAt(policy, "slurm")
      ? Math.min(slurm.maxJobs, tes.maxJobs)
      : tes.maxJobs
    : slurm.maxJobs;
}
