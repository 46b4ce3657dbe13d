import { fileURLToPath } from "node:url";
import { decimalText } from "@weft/cwl/expression/json-text.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";

/**
 * The output object as JSON. Files and Directories get their `path`. Numbers have no exponent, because Python reads
 * `4.2e+42` as a float, which is not equal to the whole number.
 */
export function outputText(outputs: CwlObject): string {
  return JSON.stringify(outputs, (_key, value: CwlValue) => printable(value), 2);
}

function printable(value: CwlValue): unknown {
  return typeof value === "number" && Number.isFinite(value) ? JSON.rawJSON(decimalText(value)) : withPath(value);
}

function withPath(value: CwlValue): CwlValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { class: kind, location } = value as { readonly class?: unknown; readonly location?: unknown }; // a record may contain any fields
  if ((kind !== "File" && kind !== "Directory") || typeof location !== "string" || !location.startsWith("file:"))
    return value;
  return { ...(value as CwlObject), path: fileURLToPath(location) };
}
