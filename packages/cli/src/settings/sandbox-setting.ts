import { SANDBOX_SETTINGS } from "@weft/shared/records/sandbox-setting.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

/** `--sandbox auto|required|none`; `fallback` if the flag is absent. */
export function sandboxSetting(settings: Pick<Settings, "text">, fallback: SandboxSetting): SandboxSetting {
  const text = settings.text("sandbox") ?? fallback;
  const known = SANDBOX_SETTINGS.find((setting) => setting === text);
  if (known !== undefined) return known;
  throw new UsageError(`--sandbox must be one of ${SANDBOX_SETTINGS.join(", ")}, not "${text}"`);
}
