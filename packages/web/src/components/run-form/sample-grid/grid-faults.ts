import type { GridCell } from "../../../ui/grid/grid-cursor.ts";
import type { FieldProblem } from "../model/check-value.ts";
import { pointerKeys } from "../model/form-store.ts";
import { NAMES_POINTER } from "../model/named-samples.ts";
import { type GridPort, faultOfCell } from "./grid-port.ts";
import { NAMES, type SampleRows } from "./sample-rows.ts";

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
