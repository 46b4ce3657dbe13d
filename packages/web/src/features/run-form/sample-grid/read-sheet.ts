import { parseDelimited, type Separator } from "@weft/shared/text/parse-delimited.ts";

/** A table of samples as text: one column per input, one row per sample. */
export interface SampleSheet {
  readonly columns: readonly string[];
  readonly rows: readonly SheetRow[];
}

export interface SheetRow {
  /** Row number as in a spreadsheet, where the header is row 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

export type SheetReading = { readonly sheet: SampleSheet } | { readonly fault: string };

const SEPARATORS = ["\t", ";", ","] as const;

export const MAX_SAMPLES = 10_000;

/** Parses CSV or TSV with a header row, which determines the separator. */
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
  if (columns.every((name) => name === "")) return "The first row must contain column names.";
  if (unnamed >= 0) return `Column ${unnamed + 1} has no name in the first row.`;
  const twice = columns.find((name, place) => columns.indexOf(name) !== place);
  if (twice !== undefined) return `Duplicate column name “${twice}”.`;
  if (rows.length === 0) return "The sheet has a header row but no data.";
  if (rows.length > MAX_SAMPLES) return `The sheet has more than ${MAX_SAMPLES} rows.`;
  const odd = rows.find(({ cells }) => cells.length !== columns.length);
  return odd && `Row ${odd.number} has ${odd.cells.length} cells; expected ${columns.length}.`;
}
