import { mapItems } from "@weft/cwl/values/map-values.ts";
import { writeExactJson } from "@weft/shared/json/exact-json.ts";

/** JSON with sorted keys: equal values have the same text, and so the same digest, however they were written. */
export function canonicalText(value: unknown): string {
  return writeExactJson(canonicalForm(value));
}

/** The value with sorted keys: itself, not a copy, if they are already sorted. */
export function canonicalForm(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return mapItems<unknown>(value, canonicalForm);
  const fields = value as { readonly [key: string]: unknown }; // every object has named fields
  const keys = Object.keys(value);
  const values = keys.map((key) => canonicalForm(fields[key]));
  const isSame = keys.every((key, at) => values[at] === fields[key] && (at === 0 || (keys[at - 1] ?? "") < key));
  if (isSame) return value;
  const entries = keys.map((key, at) => [key, values[at]] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
