import { DEFAULT_SLURM } from "../executor/slurm/slurm-settings.ts";
import type { SlurmSettings } from "../executor/slurm/slurm-settings.ts";
import { DEFAULT_TES } from "../executor/tes/tes-settings.ts";
import type { TesSettings } from "../executor/tes/tes-settings.ts";
import { ALL_LOCAL } from "./choose-backend.ts";
import type { BackendPolicy } from "./choose-backend.ts";

/** Where jobs run, and how what finds machines for them is spoken to. */
export interface BackendSettings {
  readonly policy: BackendPolicy;
  readonly slurm: SlurmSettings;
  readonly tes: TesSettings;
}

/** Everything on this machine. */
export const LOCAL_BACKEND: BackendSettings = { policy: ALL_LOCAL, slurm: DEFAULT_SLURM, tes: DEFAULT_TES };
