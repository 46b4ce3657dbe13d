import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { cursorAt, movedCursor, type GridCell } from "../../../ui/grid/grid-cursor.ts";

interface TileGridProps {
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  readonly rowPx: number;
  /** `grid-template-columns` of every row. */
  readonly template: string;
  readonly minWidthPx: number;
  /** A sticky header row: cells with `role="columnheader"`. */
  readonly head?: ReactNode;
  /** True if the grid has its own frame. */
  readonly isFramed: boolean;
  /** Renders a cell with `role="rowheader"` before the cells of a row. */
  readonly renderRowHead?: (row: number) => ReactNode;
  readonly renderCell: (row: number, column: number, isScrolling: boolean) => ReactNode;
  /** The cell in the tab order. */
  readonly active: GridCell;
  readonly onActive: (cell: GridCell) => void;
  readonly onOpen: (cell: GridCell) => void;
  /** Changes when the active cell should take the focus. */
  readonly focusRequest: number;
}

const HEAD_PX = 34;

/**
 * A virtualized grid of thumbnails. Arrow keys move between cells, Enter or a click opens one. Cells learn when rows scroll by fast, so that they load nothing then. `ui/grid/virtual-grid.tsx` is for
 * cells that users select, edit and copy.
 */
export function TileGrid(props: TileGridProps) {
  const { label, rows, template, minWidthPx, head, isFramed, active } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useRows(props, box);
  const onKeyDown = useKeys(props, box);
  const headPx = headPxOf(props);
  return (
    <div
      ref={box}
      role="grid"
      aria-label={label}
      aria-rowcount={rows + (head === undefined ? 0 : 1)}
      className={`relative max-h-[max(18rem,calc(100dvh-15rem-var(--views,0rem)))] overflow-auto [contain:strict] ${isFramed ? "card" : "-mx-1"}`}
      style={{ height: virtual.getTotalSize() + headPx + 2 }}
      onKeyDown={onKeyDown}
    >
      {head !== undefined && <GridHead {...props} />}
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize(), minWidth: minWidthPx }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <GridRow
            key={index}
            row={index}
            columns={props.columns}
            rowIndex={index + (head === undefined ? 1 : 2)}
            topPx={start - headPx}
            rowPx={props.rowPx}
            template={template}
            activeColumn={index === active.row ? active.column : -1}
            isScrolling={virtual.isScrolling}
            renderRowHead={props.renderRowHead}
            renderCell={props.renderCell}
            onOpen={props.onOpen}
          />
        ))}
      </div>
    </div>
  );
}

function headPxOf({ head }: TileGridProps): number {
  return head === undefined ? 0 : HEAD_PX;
}

type BoxRef = RefObject<HTMLDivElement | null>;

/** The visible rows, and the row with the focus, which also exists while hidden. */
function useRows(props: TileGridProps, box: BoxRef) {
  const { rows, rowPx, active, focusRequest } = props;
  const headPx = headPxOf(props);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 2,
    scrollPaddingStart: headPx,
    scrollMargin: headPx,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(active.row, rows - 1)])].toSorted((a, b) => a - b),
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
  useFocus(box, { active, focusRequest, reveal: (row) => virtual.scrollToIndex(row) });
  return virtual;
}

function useKeys(props: TileGridProps, box: BoxRef) {
  const { rows, columns, rowPx, active, onActive, onOpen } = props;
  return (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset["cell"] === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return onOpen(active);
    }
    const page = Math.max(1, Math.floor(((box.current?.clientHeight ?? 0) - headPxOf(props)) / rowPx));
    const moved = movedCursor(cursorAt(active.row, active.column), event, { rows, columns, page });
    if (moved === undefined) return;
    event.preventDefault();
    onActive(moved.active);
  };
}

function GridHead({ template, minWidthPx, head }: TileGridProps) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-2 grid items-center border-b border-line bg-surface"
      style={{ gridTemplateColumns: template, minWidth: minWidthPx, height: HEAD_PX }}
    >
      {head}
    </div>
  );
}

interface GridRowProps {
  readonly row: number;
  readonly columns: number;
  readonly rowIndex: number;
  readonly topPx: number;
  readonly rowPx: number;
  readonly template: string;
  readonly activeColumn: number;
  readonly isScrolling: boolean;
  readonly renderRowHead: TileGridProps["renderRowHead"];
  readonly renderCell: TileGridProps["renderCell"];
  readonly onOpen: (cell: GridCell) => void;
}

const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, columns, rowIndex, topPx, rowPx, template, activeColumn, isScrolling, renderRowHead, renderCell } =
    props;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className="absolute inset-x-0 grid"
      style={{ transform: `translateY(${topPx}px)`, gridTemplateRows: `${rowPx}px`, gridTemplateColumns: template }}
    >
      {renderRowHead?.(row)}
      {Array.from({ length: columns }, (_, column) => (
        <div
          key={column}
          role="gridcell"
          data-cell={`${row}.${column}`}
          tabIndex={column === activeColumn ? 0 : -1}
          className="min-h-0 min-w-0 cursor-pointer scroll-mx-36 p-1 -outline-offset-2"
          onClick={() => props.onOpen({ row, column })}
        >
          {renderCell(row, column, isScrolling)}
        </div>
      ))}
    </div>
  );
});

interface Focusing {
  readonly active: GridCell;
  readonly focusRequest: number;
  readonly reveal: (row: number) => void;
}

/** Scrolls to the active cell and focuses it, once for each request. */
function useFocus(box: BoxRef, { active: { row, column }, focusRequest, reveal }: Focusing): void {
  const done = useRef(0);
  useEffect(() => {
    if (focusRequest === done.current) return;
    done.current = focusRequest;
    reveal(row);
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${row}.${column}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
