import { isArray } from "../values/value-kind.ts";
import type { CwlValue } from "../model/cwl-value.ts";

/**
 * The textual JSON representation of a value, keys sorted. A space follows each comma and colon, as in the texts that
 * the conformance suite expects. CWL v1.2 CommandLineTool.html#String_interpolation.
 */
export function jsonText(value: CwlValue): string {
  if (isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  if (typeof value === "number") return decimalText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}: ${jsonText(field)}`).join(", ")}}`;
}

/** A value as part of a longer string: strings are inserted unchanged, other values as JSON. */
export function interpolatedText(value: CwlValue): string {
  return typeof value === "string" ? value : jsonText(value);
}

/** A number without an exponent, with the digits that JavaScript would show: 1.23e-5 is `0.0000123`. */
export function decimalText(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", first = "", rest = "", exponent = "0"] = match;
  const shift = Number(exponent);
  const digits = first + rest;
  return shift < 0 ? `${sign}0.${"0".repeat(-shift - 1)}${digits}` : sign + digits.padEnd(shift + 1, "0");
}
