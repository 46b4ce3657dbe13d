import type { TableValue } from "@weft/shared/records/table-record.ts";
import { wholeNumber } from "@weft/shared/json/exact-json.ts";
import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import { type FlatValues, isKey, NO_VALUES, pathKey, shortText } from "./flatten-value.ts";

/** Columns of a table, or rows of a list of names and values. */
const MAX_COLUMNS = 200;
const MAX_ROWS = 60_000;
/** Strings that mean "no value": BIDS writes `n/a`, R `NA`. */
const ABSENT = new Set(["", "na", "n/a", "nan", "null", "none"]);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

export type DelimitedKind = "csv" | "tsv";

interface Delimited {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A cell as the value that it means. */
export function readCell(text: string): TableValue {
  const cell = text.trim();
  if (ABSENT.has(cell.toLowerCase())) return null;
  if (/^[+-]?\d{16,}$/.test(cell) && typeof wholeNumber(cell) === "bigint") return cell;
  if (NUMBER.test(cell) && Number.isFinite(Number(cell))) return Number(cell);
  if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === "true";
  return shortText(cell);
}

/**
 * The values of a table about one sample: a header and one row, or the row that names the sample; otherwise two columns
 * with names and values. Undefined for any other table.
 */
export function flattenDelimited(text: string, kind: DelimitedKind, sampleId: string | null): FlatValues | undefined {
  const table = readTable(text, kind);
  if (table === undefined) return NO_VALUES;
  const { head, rows } = table;
  if (rows.length === 1 && isHead(head)) return rowValues(head, rows[0] ?? []);
  const own = sampleId === null ? [] : rows.filter((row) => row.includes(sampleId));
  if (own.length === 1 && isHead(head)) return rowValues(head, own[0] ?? []);
  return head.length === 2 ? pairValues([head, ...rows]) : undefined;
}

/**
 * The rows of a table about all samples, by the sample that one of its columns names. Undefined if no column names
 * each of its samples once.
 */
export function rowsBySample(
  text: string,
  kind: DelimitedKind,
  samples: ReadonlySet<string>,
): ReadonlyMap<string, FlatValues> | undefined {
  const table = readTable(text, kind);
  if (table === undefined || !isHead(table.head)) return undefined;
  const { head, rows } = table;
  const column = head.findIndex((_, at) => namesSamples(rows, at, samples));
  if (column < 0) return undefined;
  return new Map(
    rows.flatMap((row) => {
      const sample = row[column]?.trim() ?? "";
      return samples.has(sample) ? [[sample, rowValues(head, row)]] : [];
    }),
  );
}

/** True if at least half of the rows name a sample, each at most once. */
function namesSamples(rows: readonly (readonly string[])[], column: number, samples: ReadonlySet<string>): boolean {
  const named = rows.map((row) => row[column]?.trim() ?? "").filter((cell) => samples.has(cell));
  return named.length > 0 && named.length * 2 >= rows.length && new Set(named).size === named.length;
}

function readTable(text: string, kind: DelimitedKind): Delimited | undefined {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const [head, ...rows] = parseDelimited(content, kind === "csv" ? "," : "\t", MAX_ROWS);
  if (head === undefined || head.length > MAX_COLUMNS) return undefined;
  return { head: head.map((cell) => cell.trim()), rows: rows.filter((row) => row.some((cell) => cell.trim() !== "")) };
}

/** True if the names of columns differ and none is a number. */
function isHead(head: readonly string[]): boolean {
  const names = head.filter((name) => name !== "");
  return names.length > 0 && new Set(names).size === names.length && !names.some((name) => NUMBER.test(name));
}

function rowValues(head: readonly string[], row: readonly string[]): FlatValues {
  return new Map(head.flatMap((name, at) => (isKey(name) ? [[pathKey([name]), readCell(row[at] ?? "")]] : [])));
}

function pairValues(rows: readonly (readonly string[])[]): FlatValues {
  const pairs = rows.slice(0, MAX_COLUMNS).map(([name = "", value = ""]) => [name.trim(), value] as const);
  return new Map(pairs.flatMap(([name, value]) => (isKey(name) ? [[pathKey([name]), readCell(value)]] : [])));
}
