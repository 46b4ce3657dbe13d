import { memo, type ReactNode } from "react";

export interface ShownColumn {
  readonly index: number;
  readonly start: number;
  readonly size: number;
  readonly isPinned: boolean;
}

/** Marks of a cell other than the cursor. */
export interface CellMarks {
  readonly isWrong?: boolean;
  /** The current drop target. */
  readonly isTarget?: boolean;
  readonly title?: string | undefined;
}

export interface GridRowProps {
  readonly gridId: string;
  readonly row: number;
  readonly top: number;
  readonly height: number;
  readonly width: number;
  readonly columns: readonly ShownColumn[];
  /** Column of the active cell, if it is in this row. */
  readonly activeColumn: number | undefined;
  /** First and last column of the selected range, if it includes this row. */
  readonly range: string | undefined;
  readonly describedBy: string | undefined;
  /** True if the row is selected; undefined if rows cannot be selected. */
  readonly selected: boolean | undefined;
  readonly renderCell: (row: number, column: number) => ReactNode;
  readonly marksOf: ((row: number, column: number) => CellMarks) | undefined;
}

/** One row; rerendered only when it changes, not on scrolling. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, top, height, width, columns, selected } = props;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={selected}
      className={`absolute left-0 flex border-b border-line ${selected === true ? "bg-accent-soft" : "bg-surface"}`}
      style={{ top, height, width }}
    >
      {columns.map((column) => (
        <Cell key={column.index} {...props} column={column} />
      ))}
    </div>
  );
});

function Cell({ column, ...props }: GridRowProps & { readonly column: ShownColumn }) {
  const { gridId, row, selected, renderCell, marksOf } = props;
  const { index, start, size, isPinned } = column;
  const isActive = props.activeColumn === index;
  const inRange = isInRange(props.range, index);
  const { isWrong = false, isTarget = false, title } = marksOf?.(row, index) ?? {};
  return (
    <div
      id={`${gridId}-${row}-${index}`}
      role={index === 0 ? "rowheader" : "gridcell"}
      aria-colindex={index + 1}
      aria-selected={selected === undefined ? inRange : undefined}
      aria-invalid={isWrong || undefined}
      aria-describedby={isActive ? props.describedBy : undefined}
      data-cell={`${row} ${index}`}
      data-active={isActive || undefined}
      title={title}
      className={[
        "flex min-w-0 items-center overflow-hidden px-2.5",
        isPinned ? "sticky z-1 shrink-0 border-r border-line" : "absolute inset-y-0",
        backgroundOf({ isWrong, isTarget, isRange: inRange && selected === undefined, isSelected: selected === true }),
        isActive ? "outline-2 -outline-offset-2 outline-edge group-focus/grid:outline-accent" : "",
      ].join(" ")}
      style={{ left: start, width: size }}
    >
      {renderCell(row, index)}
    </div>
  );
}

interface CellLook {
  readonly isWrong: boolean;
  readonly isTarget: boolean;
  readonly isRange: boolean;
  readonly isSelected: boolean;
}

/** Every cell has a background, because pinned cells cover others. */
function backgroundOf({ isWrong, isTarget, isRange, isSelected }: CellLook): string {
  if (isTarget) return "bg-accent-soft ring-2 ring-inset ring-accent";
  if (isWrong) return "bg-failed-soft";
  return isRange || isSelected ? "bg-accent-soft" : "bg-surface";
}

function isInRange(range: string | undefined, column: number): boolean {
  if (range === undefined) return false;
  const [left = 0, right = 0] = range.split(" ").map(Number);
  return column >= left && column <= right;
}
