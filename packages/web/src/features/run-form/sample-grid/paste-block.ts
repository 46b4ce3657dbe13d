import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import { isFileValue } from "../../../format/value-text.ts";
import { guessMapping, sameNames } from "./map-sheet.ts";
import { NAMES } from "./sample-rows.ts";

/** Pasted cells, row by row. */
export type TextBlock = readonly (readonly string[])[];

/** Parses spreadsheet cells or CSV; other text is one cell per line. */
export function readBlock(text: string, maxRows: number): TextBlock {
  const plain = text.replace(/^\uFEFF/, "").replace(/(\r?\n)+$/, "");
  if (plain.includes("\t")) return parseDelimited(plain, "\t", maxRows);
  const lines = plain.split(/\r?\n/, maxRows);
  const separator = ([",", ";"] as const).find((candidate) => isTable(lines, candidate));
  return separator === undefined ? lines.map((line) => [line]) : parseDelimited(plain, separator, maxRows);
}

/** Whether every line contains the separator equally often, ignoring quoted ones. */
function isTable(lines: readonly string[], separator: string): boolean {
  const counts = new Set(lines.map((line) => line.replaceAll(/"[^"]*"/g, "").split(separator).length));
  return lines.length > 1 && counts.size === 1 && !counts.has(1);
}

/** A block with a header line. */
export interface HeadedBlock {
  /** The column of the grid that each column of the block goes to; undefined for those that match none. */
  readonly columns: readonly (number | undefined)[];
  readonly body: TextBlock;
}

/**
 * Undefined if the first line is not a header. A header names at least one input, and most of its cells match a column.
 */
export function readHeader(block: TextBlock, inputs: readonly InputRecord[]): HeadedBlock | undefined {
  const [head = [], ...body] = block;
  const names = head.map((cell) => cell.trim());
  if (body.length === 0 || sameNames(names, inputs).every((id) => id === "")) return undefined;
  const mapping = guessMapping({ columns: names }, inputs);
  const columns = mapping.inputs.map((id, place) => {
    const at = inputs.findIndex((input) => input.id === id);
    return at >= 0 ? at + 1 : place === mapping.nameColumn ? NAMES : undefined;
  });
  const isMost = columns.filter((column) => column !== undefined).length * 2 >= columns.length;
  return isMost ? { columns, body } : undefined;
}

/** Tab-separated text for spreadsheets. */
export function blockText(block: readonly (readonly string[])[]): string {
  return block.map((line) => line.map(quoted).join("\t")).join("\n");
}

function quoted(cell: string): string {
  return /[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Rows for dropped files: a row whose cell contains only the file's name, else the next row from the drop target on.
 */
export function placeFiles(list: readonly unknown[], names: readonly string[], from: number): readonly number[] {
  const wanted = new Map<string, number>();
  list.forEach((value, row) => {
    const name = bareName(value);
    if (name !== undefined && !wanted.has(name)) wanted.set(name, row);
  });
  const matched = names.map((name) => wanted.get(name));
  const taken = new Set(matched);
  let next = from;
  return matched.map((row) => {
    if (row !== undefined) return row;
    while (taken.has(next)) next += 1;
    next += 1;
    return next - 1;
  });
}

/** The name in a cell that contains only a file name; undefined for a cell with a location. */
function bareName(value: unknown): string | undefined {
  if (!isFileValue(value) || value.location !== undefined) return undefined;
  return value.path !== undefined && !value.path.includes("/") ? value.path : undefined;
}
