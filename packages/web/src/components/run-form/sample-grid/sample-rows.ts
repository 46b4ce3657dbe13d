import type { GridCell, GridRange } from "../../../ui/grid/grid-cursor.ts";
import type { FieldProblem } from "../model/check-value.ts";
import { pointerKeys, type InputValues } from "../model/form-store.ts";
import { NAMES_POINTER, namesStillFit, rowName, type NamedSamples } from "../model/named-samples.ts";
import { faultOfCell, type GridPort } from "./grid-port.ts";

/** The content of the grid: the names of the samples, then one list per port; all of one length. */
export interface SampleRows {
  readonly names: readonly string[];
  readonly lists: readonly (readonly unknown[])[];
}

/** The part that the form's store keeps. */
interface SampleValues {
  readonly lists: Readonly<Record<string, readonly unknown[] | undefined>>;
  readonly samples: NamedSamples | undefined;
}

/** Column of the sample names. */
export const NAMES = 0;

/** The lists of the ports as rows; shorter lists have empty cells. */
export function readRows(
  ports: readonly GridPort[],
  values: InputValues,
  samples: NamedSamples | undefined,
): SampleRows {
  const given = ports.map(({ id }): readonly unknown[] => (Array.isArray(values[id]) ? values[id] : []));
  const count = Math.max(0, ...given.map(({ length }) => length));
  const fits = samples !== undefined && samples.names.length === count && namesStillFit(samples, values);
  return {
    names: fits ? samples.names : filled<string>(count, ""),
    lists: given.map((list) => padded(list, count, null)),
  };
}

/** Omits optional lists without values; the others have one value, or null, per row. */
export function writeRows(ports: readonly GridPort[], { names, lists }: SampleRows): SampleValues {
  const written = ports.map(({ id, isRequired }, place) => {
    const list = lists[place] ?? [];
    const isUnset = list.length === 0 || (!isRequired && list.every(isBlank));
    return [id, isUnset ? undefined : list] as const;
  });
  const set = written.flatMap(([id, list]) => (list === undefined ? [] : [[id, list] as const]));
  const isNamed = set.length > 0 && names.some((name) => name !== "");
  return {
    lists: Object.fromEntries(written),
    samples: isNamed ? { names, lists: Object.fromEntries(set) } : undefined,
  };
}

export function rowCount({ names }: SampleRows): number {
  return names.length;
}

/** The value of a cell; undefined beyond the last row. */
export function cellValueAt({ names, lists }: SampleRows, { row, column }: GridCell): unknown {
  return column === NAMES ? names[row] : lists[column - 1]?.[row];
}

/** Default name of an unnamed sample; "" if its values suggest none. */
export function derivedName({ lists }: SampleRows, ports: readonly GridPort[], row: number): string {
  return rowName(ports.map(({ id }, place) => [id, lists[place]?.[row]] as const));
}

/** Writes a block of values, starting at a cell. Adds missing rows; drops columns beyond the last. */
export function withBlock(rows: SampleRows, at: GridCell, block: readonly (readonly unknown[])[]): SampleRows {
  const count = Math.max(rowCount(rows), at.row + block.length);
  const width = Math.max(0, ...block.map(({ length }) => length));
  return mapColumns(rows, (list, column, blank) => {
    const from = column - at.column;
    if (from < 0 || from >= width) return padded(list, count, blank);
    const next = [...padded(list, count, blank)];
    block.forEach((line, place) => {
      if (from < line.length) next[at.row + place] = line[from];
    });
    return next;
  });
}

/** The columns of an imported sheet; unmatched ports keep their values up to the number of rows. */
interface ImportedColumns {
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly names: readonly string[] | undefined;
}

/** Replaces columns with those of a sheet, and adopts its number of rows. */
export function withColumns(
  { lists }: SampleRows,
  ports: readonly Pick<GridPort, "id">[],
  sheet: ImportedColumns,
): SampleRows {
  const count = Object.values(sheet.lists)[0]?.length ?? 0;
  return {
    names: sheet.names ?? filled(count, ""),
    lists: ports.map(({ id }, place) => sheet.lists[id] ?? padded((lists[place] ?? []).slice(0, count), count, null)),
  };
}

/** Copies the first row of a range into the others; for a single row, copies the row above it. */
export function withFillDown(rows: SampleRows, range: GridRange): SampleRows {
  const source = range.top === range.bottom ? range.top - 1 : range.top;
  if (source < 0 || source >= rowCount(rows)) return rows;
  return mapRange(rows, range, (list) => list[source]);
}

/** Empties the cells of a range. */
export function withoutCells(rows: SampleRows, range: GridRange): SampleRows {
  return mapRange(rows, range, (_, blank) => blank);
}

/** Removes rows; the others keep their order. */
export function withoutRows(rows: SampleRows, isRemoved: (row: number) => boolean): SampleRows {
  return mapColumns(rows, (list) => list.filter((_, row) => !isRemoved(row)));
}

/** Adds empty rows before a row. */
export function withEmptyRows(rows: SampleRows, at: number, count: number): SampleRows {
  return mapColumns(rows, (list, _, blank) => list.toSpliced(at, 0, ...filled(count, blank)));
}

/** Inserts copies of the rows of a range below it, without names, because sample names are unique. */
export function withCopies(rows: SampleRows, { top, bottom }: GridRange): SampleRows {
  return mapColumns(rows, (list, column, blank) => {
    const copies = list.slice(top, bottom + 1).map((value) => (column === NAMES ? blank : value));
    return list.toSpliced(bottom + 1, 0, ...copies);
  });
}

/** True if a cell is empty. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

type ColumnChange = (list: readonly unknown[], column: number, blank: unknown) => readonly unknown[];

function mapColumns({ names, lists }: SampleRows, change: ColumnChange): SampleRows {
  return {
    names: change(names, NAMES, "").map(nameText),
    lists: lists.map((list, place) => change(list, place + 1, null)),
  };
}

function nameText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function mapRange(
  rows: SampleRows,
  range: GridRange,
  valueOf: (list: readonly unknown[], blank: unknown) => unknown,
): SampleRows {
  return mapColumns(rows, (list, column, blank) => {
    if (column < range.left || column > range.right) return list;
    const value = valueOf(list, blank);
    return list.map((old, row) => (row < range.top || row > range.bottom ? old : value));
  });
}

function filled<Value>(count: number, value: Value): readonly Value[] {
  return Array.from({ length: count }, () => value);
}

function padded(list: readonly unknown[], count: number, blank: unknown): readonly unknown[] {
  return list.length >= count ? list : list.concat(filled(count - list.length, blank));
}

/** Problems of cells, by `row column`, in reading order. */
export type GridFaults = ReadonlyMap<string, string>;

export function faultKey({ row, column }: GridCell): string {
  return `${row} ${column}`;
}

/** Values of the wrong type, and problems found on submission. */
export function findFaults(
  ports: readonly GridPort[],
  { lists }: SampleRows,
  problems: readonly FieldProblem[],
): GridFaults {
  const found: (readonly [GridCell, string])[] = problems.flatMap((problem) => {
    const cell = cellOfPointer(ports, problem.pointer);
    return cell === undefined ? [] : [[cell, problem.message] as const];
  });
  ports.forEach((port, place) => {
    lists[place]?.forEach((value, row) => {
      const fault = faultOfCell(port, value);
      if (fault !== undefined) found.push([{ row, column: place + 1 }, fault]);
    });
  });
  const inOrder = found.toSorted(([a], [b]) => a.row - b.row || a.column - b.column);
  return new Map(inOrder.map(([cell, message]) => [faultKey(cell), message]));
}

/** The cell of a problem; for a whole list, the column's first cell. Undefined for fields outside the grid. */
export function cellOfPointer(ports: readonly GridPort[], pointer: string): GridCell | undefined {
  if (pointer.startsWith(`${NAMES_POINTER}/`))
    return { row: Number(pointer.slice(NAMES_POINTER.length + 1)), column: NAMES };
  const [id, row = "0"] = pointerKeys(pointer);
  const place = ports.findIndex((port) => port.id === id);
  return place < 0 || !/^\d+$/.test(row) ? undefined : { row: Number(row), column: place + 1 };
}

/** The next fault after a cell in reading order; wraps around after the last one. */
export function faultAfter(faults: GridFaults, cell: GridCell | undefined): GridCell | undefined {
  const cells = [...faults.keys()].map((key): GridCell => {
    const [row = 0, column = 0] = key.split(" ").map(Number);
    return { row, column };
  });
  const isAfter = (a: GridCell, b: GridCell): boolean => a.row > b.row || (a.row === b.row && a.column > b.column);
  return cells.find((candidate) => cell === undefined || isAfter(candidate, cell)) ?? cells[0];
}
