import { fieldsHint } from "@weft/shared/text/name-template.ts";
import { parseRunName, RUN_NAME_FIELDS } from "@weft/engine/runs/begin/run-name.ts";
import type { RunNameTemplates } from "@weft/engine/runs/begin/run-name.ts";
import { UsageError } from "../exit/usage-error.ts";
import type { Settings } from "./read-settings.ts";

/** `--run-name TEMPLATE` for all networks and tools, `--run-name ID=TEMPLATE` for one. */
export function runNameSettings(settings: Pick<Settings, "list">): RunNameTemplates {
  const entries = settings.list("run-name").map((text) => {
    const [, id = "", written = text] = /^([a-z0-9][a-z0-9._-]*)=(.*)$/s.exec(text) ?? [];
    const template = parseRunName(written);
    if (typeof template === "string") throw new UsageError(`--run-name ${template}; ${fieldsHint(RUN_NAME_FIELDS)}`);
    return [id, template] as const;
  });
  return Object.fromEntries(entries);
}
