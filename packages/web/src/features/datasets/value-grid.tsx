import { useCallback, useMemo, useState, type ReactNode } from "react";
import { VirtualGrid, type GridColumn } from "../../ui/grid/virtual-grid.tsx";
import type { GridCursor } from "../../ui/grid/grid-cursor.ts";

export interface ValueGridProps {
  readonly label: string;
  readonly columns: readonly { readonly id: string; readonly label: string; readonly width: number }[];
  readonly rows: number;
  readonly cellAt: (row: number, column: number) => ReactNode;
  /** Number of visible rows at most. */
  readonly shown?: number;
}

const ROW_PX = 32;

/** A virtualized table of texts that can be scrolled and read by keyboard. */
export function ValueGrid({ label, columns, rows, cellAt, shown = 12 }: ValueGridProps) {
  const [cursor, setCursor] = useState<GridCursor | undefined>(undefined);
  const gridColumns = useMemo((): readonly GridColumn[] => columns, [columns]);
  const renderCell = useCallback(
    (row: number, column: number) => <span className="truncate">{cellAt(row, column)}</span>,
    [cellAt],
  );
  const marksOf = useCallback(
    (row: number, column: number) => {
      const cell = cellAt(row, column);
      return { title: typeof cell === "string" ? cell : undefined };
    },
    [cellAt],
  );
  return (
    <div className="card overflow-hidden" style={{ height: 36 + Math.max(2, Math.min(rows, shown)) * ROW_PX }}>
      <VirtualGrid
        className="h-full"
        label={label}
        rows={rows}
        columns={gridColumns}
        pinned={1}
        rowPx={ROW_PX}
        cursor={cursor}
        onCursor={setCursor}
        renderCell={renderCell}
        marksOf={marksOf}
      />
    </div>
  );
}
