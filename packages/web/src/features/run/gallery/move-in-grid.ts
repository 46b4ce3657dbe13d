export interface GridCell {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

/** Where a key leads in a grid (WAI-ARIA, data grid); undefined for a key that leads nowhere. `inSight`: rows of a page. */
export function moveInGrid(
  { row, column }: GridCell,
  key: string,
  { rows, columns, inSight }: GridSize & { readonly inSight: number },
): GridCell | undefined {
  const to = (nextRow: number, nextColumn = column): GridCell => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  });
  switch (key) {
    case "ArrowUp":
      return to(row - 1);
    case "ArrowDown":
      return to(row + 1);
    case "ArrowLeft":
      return to(row, column - 1);
    case "ArrowRight":
      return to(row, column + 1);
    case "PageUp":
      return to(row - inSight);
    case "PageDown":
      return to(row + inSight);
    case "Home":
      return to(row, 0);
    case "End":
      return to(row, columns - 1);
    default:
      return undefined;
  }
}
