/** A cell of a grid, without its header row. */
export interface GridCell {
  readonly row: number;
  readonly column: number;
}

/** The cell that keys act on, and the opposite corner of the selected range. */
export interface GridCursor {
  readonly active: GridCell;
  readonly anchor: GridCell;
}

/** First and last rows and columns, inclusive. */
export interface GridRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Number of visible rows. */
  readonly page: number;
}

/** The relevant part of a key event. */
interface GridKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** A cursor on one cell. */
export function cursorAt(row: number, column: number): GridCursor {
  return { active: { row, column }, anchor: { row, column } };
}

export function rangeOf({ active, anchor }: GridCursor): GridRange {
  return {
    top: Math.min(active.row, anchor.row),
    bottom: Math.max(active.row, anchor.row),
    left: Math.min(active.column, anchor.column),
    right: Math.max(active.column, anchor.column),
  };
}

/** The new cursor after a key (WAI-ARIA APG, Grid Pattern); undefined for a key that does not move it. */
export function movedCursor(cursor: GridCursor, key: GridKey, size: GridSize): GridCursor | undefined {
  if (key.altKey || size.rows === 0) return undefined;
  const ctrl = key.ctrlKey || key.metaKey;
  const target = targetOf(cursor.active, { key: key.key, ctrl }, size);
  if (target === undefined) return undefined;
  const active = { row: clamp(target.row, size.rows), column: clamp(target.column, size.columns) };
  return { active, anchor: key.shiftKey ? cursor.anchor : active };
}

function targetOf(
  { row, column }: GridCell,
  { key, ctrl }: { readonly key: string; readonly ctrl: boolean },
  size: GridSize,
): GridCell | undefined {
  switch (key) {
    case "ArrowUp":
      return { row: ctrl ? 0 : row - 1, column };
    case "ArrowDown":
      return { row: ctrl ? size.rows : row + 1, column };
    case "ArrowLeft":
      return { row, column: ctrl ? 0 : column - 1 };
    case "ArrowRight":
      return { row, column: ctrl ? size.columns : column + 1 };
    case "Home":
      return { row: ctrl ? 0 : row, column: 0 };
    case "End":
      return { row: ctrl ? size.rows : row, column: size.columns };
    case "PageUp":
      return { row: row - size.page, column };
    case "PageDown":
      return { row: row + size.page, column };
    default:
      return undefined;
  }
}

function clamp(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1));
}
