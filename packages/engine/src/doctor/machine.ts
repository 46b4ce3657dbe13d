import { existsSync } from "node:fs";
import type { ContainerSetting } from "@weft/shared/records/container-record.ts";
import type { MachineCheck } from "@weft/shared/records/machine-record.ts";
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

/** The result of one check. */
export type Finding = Pick<MachineCheck, "state" | "detail" | "fix">;

export function ok(detail: string): Finding {
  return { state: "ok", detail, fix: null };
}

/** A problem that does not keep Weft from working. `fix`: a command that helps. */
export function warning(detail: string, fix: string): Finding {
  return { state: "warning", detail, fix };
}

/** A problem because of which Weft cannot start or cannot follow its options. `fix`: a command that helps. */
export function failed(detail: string, fix: string): Finding {
  return { state: "failed", detail, fix };
}

/** Package managers by their programs, and how each installs a package. */
const MANAGERS = [
  ["/usr/bin/apt-get", "sudo apt-get install"],
  ["/usr/bin/dnf", "sudo dnf install"],
  ["/usr/bin/zypper", "sudo zypper install"],
  ["/usr/bin/pacman", "sudo pacman -S"],
  ["/sbin/apk", "sudo apk add"],
  ["/opt/homebrew/bin/brew", "brew install"],
] as const;

/** The command that installs a package on this machine. */
export function installCommand(name: string): string {
  const [, install = "sudo apt-get install"] = MANAGERS.find(([path]) => existsSync(path)) ?? [];
  return `${install} ${name}`;
}
