import { LOCAL_BACKEND } from "@weft/engine/executor/backends/backend-settings.ts";
import type { BackendSettings } from "@weft/engine/executor/backends/backend-settings.ts";
import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import { CONTAINER_SETTINGS } from "@weft/shared/records/container-record.ts";
import type { ContainerSetting } from "@weft/shared/records/container-record.ts";
import { SANDBOX_SETTINGS } from "@weft/shared/records/sandbox-setting.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { UsageError } from "../exit/usage-error.ts";
import { limitSettings } from "./limit-settings.ts";
import type { Settings } from "./read-settings.ts";

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

/** `--backend local|slurm|tes`, and the sections `slurm` and `tes` of weft.config.json. */
export async function backendSetting(
  settings: Pick<Settings, "text" | "section" | "resolve">,
): Promise<BackendSettings> {
  const backend = oneOf("backend", settings.text("backend") ?? "local", BACKEND_KINDS);
  const sections = [settings.section("slurm"), settings.section("tes")];
  if (backend === "local" && sections.every((section) => section === undefined)) return LOCAL_BACKEND;
  // Checking the sections loads zod, which takes a fifth of the start of a command that needs neither.
  const { readBackends } = await import("./backend-sections.ts");
  return readBackends(backend, settings);
}

/** `--container ENGINE`, or `--no-container`, which means `none` and takes precedence. */
export function containerSetting(settings: Pick<Settings, "text" | "isOn">): ContainerSetting {
  if (settings.isOn("no-container")) return "none";
  return oneOf("container", settings.text("container") ?? "auto", CONTAINER_SETTINGS);
}

/** `--sandbox auto|required|none`; `fallback` if the flag is absent. */
export function sandboxSetting(settings: Pick<Settings, "text">, fallback: SandboxSetting): SandboxSetting {
  return oneOf("sandbox", settings.text("sandbox") ?? fallback, SANDBOX_SETTINGS);
}

function oneOf<Choice extends string>(flag: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`--${flag} must be one of ${choices.join(", ")}, not "${text}"`);
}
