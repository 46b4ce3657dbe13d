import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { isFileValue } from "../../../format/value-text.ts";
import type { GridCell, GridRange } from "../../../ui/grid/grid-cursor.ts";
import { type GridPort, type KnownFiles, cellText, readCell } from "./grid-port.ts";
import { guessMapping, sameNames } from "./map-sheet.ts";
import { NAMES, type SampleRows, cellValueAt, rowCount, withBlock } from "./sample-rows.ts";

interface Pasted {
  readonly rows: SampleRows;
  /** The cells that were filled. */
  readonly range: GridRange;
  /** Message for the user; undefined if there is nothing to report. */
  readonly note: string | undefined;
}

interface PasteTarget {
  readonly ports: readonly GridPort[];
  readonly inputs: readonly InputRecord[];
  readonly known: KnownFiles;
  readonly range: GridRange;
}

/**
 * Writes pasted cells, starting at the range's first cell. One cell fills the whole range; a block with a header line
 * fills the ports of those names.
 */
export function pasted(rows: SampleRows, block: TextBlock, target: PasteTarget): Pasted {
  const header = readHeader(block, target.inputs);
  return header === undefined ? pastedCells(rows, block, target) : pastedColumns(rows, header, target, block[0] ?? []);
}

function pastedCells(rows: SampleRows, block: TextBlock, { ports, known, range }: PasteTarget): Pasted {
  const { top, left } = range;
  const [only, second] = block;
  const isOne = only !== undefined && second === undefined && only.length === 1;
  const texts = isOne ? repeated(only[0] ?? "", range) : block;
  const columns = ports.length + 1;
  const values = texts.map((line) =>
    line.slice(0, columns - left).map((text, place) => valueIn(ports, left + place, { text, known })),
  );
  const width = Math.max(1, ...texts.map(({ length }) => length));
  const lost = left + width - columns;
  return {
    rows: withBlock(rows, { row: top, column: left }, values),
    range: { top, left, bottom: top + texts.length - 1, right: Math.min(columns, left + width) - 1 },
    note: lost > 0 ? `${countText(lost, "column")} beyond the last one ignored` : undefined,
  };
}

function repeated(text: string, { top, bottom, left, right }: GridRange): TextBlock {
  return Array.from({ length: bottom - top + 1 }, () => Array.from({ length: right - left + 1 }, () => text));
}

function pastedColumns(
  rows: SampleRows,
  { columns, body }: HeadedBlock,
  { ports, known, range }: PasteTarget,
  names: readonly string[],
): Pasted {
  let next = rows;
  for (const [place, column] of columns.entries()) {
    if (column === undefined) continue;
    const values = body.map((line) => [valueIn(ports, column, { text: line[place] ?? "", known })]);
    next = withBlock(next, { row: range.top, column }, values);
  }
  const filled = columns.filter((column) => column !== undefined);
  const { top } = range;
  const changed = { top, bottom: top + body.length - 1, left: Math.min(...filled), right: Math.max(...filled) };
  return { rows: next, range: changed, note: headerNote(names, columns, ports) };
}

function headerNote(names: readonly string[], columns: HeadedBlock["columns"], ports: readonly GridPort[]): string {
  const pairs = columns.flatMap((column, place) =>
    column === undefined
      ? []
      : [`${names[place] ?? ""} → ${column === NAMES ? "sample" : (ports[column - 1]?.id ?? "")}`],
  );
  const left = names.filter((_, place) => columns[place] === undefined);
  return `Matched columns: ${pairs.join(", ")}${left.length === 0 ? "" : `. Ignored: ${left.join(", ")}`}`;
}

/** Converts text to a value for a column of the grid. */
export function valueIn(
  ports: readonly GridPort[],
  column: number,
  { text, known }: { readonly text: string; readonly known: KnownFiles },
): unknown {
  const port = ports[column - 1];
  return port === undefined ? text.trim() : readCell(port, text, known);
}

/** The cells of a range as text. */
export function textsOf(rows: SampleRows, { top, bottom, left, right }: GridRange): TextBlock {
  const last = Math.min(bottom, rowCount(rows) - 1);
  return Array.from({ length: Math.max(0, last - top + 1) }, (_, line) =>
    Array.from({ length: right - left + 1 }, (__, place) =>
      cellText(cellValueAt(rows, { row: top + line, column: left + place })),
    ),
  );
}

/** The first cell of a column without a value, from a row on. */
export function firstEmpty(rows: SampleRows, { row, column }: GridCell): number {
  for (let at = row; at < rowCount(rows); at += 1) {
    const value = cellValueAt(rows, { row: at, column });
    if (value === null || value === "") return at;
  }
  return Math.max(row, rowCount(rows));
}

/** Pasted cells, row by row. */
type TextBlock = readonly (readonly string[])[];

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
interface HeadedBlock {
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
