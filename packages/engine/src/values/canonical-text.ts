import { writeExactJson } from "@weft/shared/json/exact-json.ts";

/** JSON with sorted keys: equal values have the same text, and so the same digest, however they were written. */
export function canonicalText(value: unknown): string {
  return writeExactJson(sorted(value));
}

/** The value with sorted keys: itself, not a copy, if they are already sorted. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return sortedItems(value);
  const fields = value as { readonly [key: string]: unknown }; // any object has named fields
  const keys = Object.keys(value);
  const values = keys.map((key) => sorted(fields[key]));
  const isSame = keys.every((key, at) => values[at] === fields[key] && (at === 0 || (keys[at - 1] ?? "") < key));
  if (isSame) return value;
  const entries = keys.map((key, at) => [key, values[at]] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sortedItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const value = typeof item === "object" ? sorted(item) : item;
    if (value !== item) copy ??= items.slice(0, index);
    copy?.push(value);
  }
  return copy ?? items;
}
