import type { TableValue } from "@weft/shared/records/table-record.ts";
import type { BuiltTable } from "./build-table.ts";

const SEPARATORS = { csv: ",", tsv: "\t" } as const;

/** A table as CSV (RFC 4180) or TSV, with a first column for the run if there are several. */
export function writeDelimited(table: BuiltTable, format: "csv" | "tsv"): string {
  const separator = SEPARATORS[format];
  const line = (cells: readonly string[]) => `${cells.map((cell) => quoted(cell, format)).join(separator)}\r\n`;
  const { names, rows } = leadingColumns(table);
  const head = [...names, ...table.columns.map(({ label }) => label)].map(safeText);
  const body = table.rows.map(({ values }, at) => [...(rows[at] ?? []), ...values].map(cellText));
  return [head, ...body].map(line).join("");
}

/** The columns that name a row. */
export function leadingColumns({ runs, rows }: BuiltTable): {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const named = new Map(runs.map(({ run_id, name }) => [run_id, name]));
  const sample = ({ sample_id, index }: BuiltTable["rows"][number]) => sample_id ?? `#${(index ?? 0) + 1}`;
  if (runs.length < 2) return { names: ["sample"], rows: rows.map((row) => [sample(row)]) };
  return {
    names: ["sample", "run", "run_id"],
    rows: rows.map((row) => [sample(row), named.get(row.run_id) ?? "", row.run_id]),
  };
}

function cellText(value: TableValue): string {
  if (value === null) return "";
  return typeof value === "string" ? safeText(value) : String(value);
}

/** Matches negative whole numbers that are strings in the table, to keep their digits. */
const LONG = /^-\d{16,19}$/;

/** Adds an apostrophe to strings that a spreadsheet would interpret as formulas. */
function safeText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !LONG.test(text) ? `'${text}` : text;
}

/**
 * TSV has no quotes: a tab or line break becomes a space. A spreadsheet still reads them, so that `""=1` would be
 * the formula `=1`.
 */
function quoted(cell: string, format: "csv" | "tsv"): string {
  if (format === "tsv") return cell.replace(/^"/, `'"`).replaceAll(/[\t\r\n]+/g, " ");
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
