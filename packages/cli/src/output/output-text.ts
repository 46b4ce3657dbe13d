import { fileURLToPath } from "node:url";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";

/** The output object as JSON; Files and Directories get the `path` at which they lie. */
export function outputText(outputs: CwlObject): string {
  return JSON.stringify(outputs, addPath, 2);
}

function addPath(_key: string, value: CwlValue): CwlValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { class: kind, location } = value as { readonly class?: unknown; readonly location?: unknown }; // a record may hold anything
  if ((kind !== "File" && kind !== "Directory") || typeof location !== "string" || !location.startsWith("file:"))
    return value;
  return { ...(value as CwlObject), path: fileURLToPath(location) };
}
