import { parseDelimited, type Separator } from "../../../format/parse-delimited.ts";

/** A table of samples as text: one column per input, one row per sample. */
export interface SampleSheet {
  readonly columns: readonly string[];
  readonly rows: readonly SheetRow[];
}

export interface SheetRow {
  /** As a spreadsheet counts: the names of the columns stand in row 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

export type SheetReading = { readonly sheet: SampleSheet } | { readonly fault: string };

const SEPARATORS = ["\t", ";", ","] as const;

export const MAX_SAMPLES = 10_000;

/** Reads CSV or TSV whose first row names the columns; the separator is the one that the first row uses. */
export function readSheet(source: string): SheetReading {
  const text = source.replace(/^\uFEFF/, "");
  const separator = separatorOf(text.slice(0, text.search(/[\r\n]|$/)));
  const [head = [], ...body] = parseDelimited(text, separator, MAX_SAMPLES + 2);
  const columns = head.map((cell) => cell.trim());
  const rows = body
    .map((cells, place): SheetRow => ({ number: place + 2, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const fault = faultOf(columns, rows);
  return fault === undefined ? { sheet: { columns, rows } } : { fault };
}

function separatorOf(firstLine: string): Separator {
  return SEPARATORS.find((candidate) => firstLine.includes(candidate)) ?? ",";
}

function faultOf(columns: readonly string[], rows: readonly SheetRow[]): string | undefined {
  const unnamed = columns.indexOf("");
  if (columns.every((name) => name === "")) return "The first row must name the columns.";
  if (unnamed >= 0) return `Column ${unnamed + 1} has no name in the first row.`;
  const twice = columns.find((name, place) => columns.indexOf(name) !== place);
  if (twice !== undefined) return `Two columns are called “${twice}”.`;
  if (rows.length === 0) return "There is no row below the names of the columns.";
  if (rows.length > MAX_SAMPLES) return `More than ${MAX_SAMPLES} rows cannot be taken at once.`;
  const odd = rows.find(({ cells }) => cells.length !== columns.length);
  return odd && `Row ${odd.number} has ${odd.cells.length} cells, but there are ${columns.length} columns.`;
}
