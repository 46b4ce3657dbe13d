import type { SlurmSettings } from "../executor/slurm/slurm-settings.ts";
import type { BackendPolicy } from "./choose-backend.ts";

/** Where jobs run, and how the cluster is spoken to. */
export interface BackendSettings {
  readonly policy: BackendPolicy;
  readonly slurm: SlurmSettings;
}
