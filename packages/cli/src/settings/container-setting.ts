import { CONTAINER_SETTINGS } from "@weft/shared/records/container-record.ts";
import type { ContainerSetting } from "@weft/shared/records/container-record.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

/** `--container ENGINE`, or `--no-container`, which means `none` and takes precedence. */
export function containerSetting(settings: Pick<Settings, "text" | "isOn">): ContainerSetting {
  if (settings.isOn("no-container")) return "none";
  const text = settings.text("container") ?? "auto";
  const known = CONTAINER_SETTINGS.find((setting) => setting === text);
  if (known !== undefined) return known;
  throw new UsageError(`--container must be one of ${CONTAINER_SETTINGS.join(", ")}, not "${text}"`);
}
