import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import { LOCAL_BACKEND } from "@weft/engine/executor/backends/backend-settings.ts";
import type { BackendSettings } from "@weft/engine/executor/backends/backend-settings.ts";
import { UsageError } from "../exit/usage-error.ts";
import type { Settings } from "./read-settings.ts";

/** `--backend local|slurm|tes`, and the sections `slurm` and `tes` of weft.config.json. */
export async function backendSetting(
  settings: Pick<Settings, "text" | "section" | "resolve">,
): Promise<BackendSettings> {
  const kind = settings.text("backend") ?? "local";
  const backend = BACKEND_KINDS.find((known) => known === kind);
  if (backend === undefined)
    throw new UsageError(`--backend must be one of ${BACKEND_KINDS.join(", ")}, not "${kind}"`);
  const sections = [settings.section("slurm"), settings.section("tes")];
  if (backend === "local" && sections.every((section) => section === undefined)) return LOCAL_BACKEND;
  // Checking the sections loads zod, which takes a fifth of the start of a command that needs neither.
  const { readBackends } = await import("./backend-sections.ts");
  return readBackends(backend, settings);
}
