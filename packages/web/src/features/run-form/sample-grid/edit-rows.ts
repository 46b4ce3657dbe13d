import type { InputRecord } from "@weft/shared/records/process-record.ts";
import type { GridCell, GridRange } from "../../../ui/grid/grid-cursor.ts";
import { countText } from "../../../format/count-text.ts";
import { cellText, readCell, type GridPort, type KnownFiles } from "./grid-port.ts";
import { readHeader, type HeadedBlock, type TextBlock } from "./paste-block.ts";
import { cellValueAt, NAMES, rowCount, withBlock, type SampleRows } from "./sample-rows.ts";

export interface Pasted {
  readonly rows: SampleRows;
  /** The cells that were filled. */
  readonly range: GridRange;
  /** Message for the user; undefined if there is nothing to report. */
  readonly note: string | undefined;
}

export interface PasteTarget {
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
  return {
    rows: next,
    range: {
      top: range.top,
      bottom: range.top + body.length - 1,
      left: Math.min(...filled),
      right: Math.max(...filled),
    },
    note: headerNote(names, columns, ports),
  };
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

/** The value of a text in a column of the grid. */
export function valueIn(
  ports: readonly GridPort[],
  column: number,
  { text, known }: { readonly text: string; readonly known: KnownFiles },
): unknown {
  const port = ports[column - 1];
  return port === undefined ? text.trim() : readCell(port, text, known);
}

/** The cells of a range as texts. */
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
