import { NAME_PLACEHOLDERS, unknownPlaceholder } from "@weft/engine/runs/begin/run-name.ts";
import type { RunNameTemplates } from "@weft/engine/runs/begin/run-name.ts";
import { UsageError } from "../exit/usage-error.ts";
import type { Settings } from "./read-settings.ts";

/** `--run-name TEMPLATE` for all networks and tools, `--run-name ID=TEMPLATE` for one. */
export function runNameSettings(settings: Pick<Settings, "list">): RunNameTemplates {
  const entries = settings.list("run-name").map((text) => {
    const [, id = "", template = text] = /^([a-z0-9][a-z0-9._-]*)=(.*)$/s.exec(text) ?? [];
    refuseWrong(template);
    return [id, template] as const;
  });
  return Object.fromEntries(entries);
}

function refuseWrong(template: string): void {
  const unknown = unknownPlaceholder(template);
  const known = Object.keys(NAME_PLACEHOLDERS).map((name) => `{${name}}`);
  if (unknown !== undefined) throw new UsageError(`--run-name has no {${unknown}}; it can contain ${known.join(", ")}`);
  if (template.trim() === "" || template.length > 200 || /\p{Cc}/u.test(template))
    throw new UsageError("--run-name must be one line of 1 to 200 characters");
}
