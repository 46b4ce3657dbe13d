import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { backendSetting } from "./backend-setting.ts";
import { containerSetting } from "./container-setting.ts";
import { limitSettings } from "./limit-settings.ts";
import type { Settings } from "./read-settings.ts";
import { sandboxSetting } from "./sandbox-setting.ts";

/** The settings that all commands that run jobs share. `sandbox` applies without `--sandbox`. */
export async function executionSettings(settings: Settings, sandbox: SandboxSetting) {
  return {
    jobs: settings.count("jobs", 1),
    backend: await backendSetting(settings),
    container: containerSetting(settings),
    jobSandbox: sandboxSetting(settings, sandbox),
    evalTimeoutMs: settings.seconds("eval-timeout"),
    limits: limitSettings(settings),
  };
}
