import type { ContainerSetting } from "@weft/shared/records/container-record.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import type { BackendSettings } from "../executor/backends/backend-settings.ts";
import type { RunProgram } from "../executor/run-program.ts";

/** A machine to examine, with the options of the server that runs on it or is about to. */
export interface Machine {
  readonly version: string;
  /** Absolute path; the folder may not exist yet. */
  readonly stateFolder: string;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | undefined;
  /** Address of the server that uses the state folder, as far as known. */
  readonly servedAt: string | undefined;
  /** The examining process is that server. */
  readonly isServer: boolean;
  readonly backend: BackendSettings;
  readonly container: ContainerSetting;
  readonly sandbox: SandboxSetting;
  readonly controlGroups: boolean;
  /** Folder of the built web application. */
  readonly webRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly run: RunProgram;
}
