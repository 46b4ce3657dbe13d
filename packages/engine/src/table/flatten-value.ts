import type { TableValue } from "@weft/shared/records/table-record.ts";

/** Values by their path as JSON text: `["volume_ml"]`. */
export type FlatValues = ReadonlyMap<string, TableValue>;

export const NO_VALUES: FlatValues = new Map();

/** Maximum number of values of one file or port. */
const MAX_VALUES = 200;
const MAX_DEPTH = 6;
/** Longer lists are data rather than measures. */
const MAX_LIST = 16;
const MAX_TEXT = 200;
const MAX_KEY = 100;

/** The numbers, booleans and strings in a value. Omits values that are too deep or too long, or have unusual keys. */
export function flattenValue(value: unknown): FlatValues {
  const found = new Map<string, TableValue>();
  flatten(value, [], found);
  return found;
}

function flatten(value: unknown, path: readonly string[], found: Map<string, TableValue>): void {
  if (found.size >= MAX_VALUES) return;
  const own = scalarOf(value);
  if (own !== undefined) found.set(pathKey(path), own);
  else if (path.length < MAX_DEPTH) for (const [key, inner] of entriesOf(value)) flatten(inner, [...path, key], found);
}

/**
 * A scalar as a table value: null for NaN and infinity, a string for a `bigint`, because table numbers are doubles;
 * undefined for other values.
 */
function scalarOf(value: unknown): TableValue | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string") return shortText(value);
  if (typeof value === "bigint") return value.toString();
  return typeof value === "boolean" || value === null ? value : undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.length > MAX_LIST ? [] : value.map((item, index) => [String(index), item]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .slice(0, MAX_VALUES)
    .filter(([key]) => isKey(key));
}

export function isKey(key: string): boolean {
  return key !== "" && key.length <= MAX_KEY;
}

export function shortText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}

export function pathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

export function parsePathKey(key: string): readonly string[] {
  return JSON.parse(key) as readonly string[]; // written by pathKey
}
