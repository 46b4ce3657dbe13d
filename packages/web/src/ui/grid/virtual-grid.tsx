import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import {
  memo,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  type ComponentProps,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
} from "react";
import { GridRow, type CellMarks, type ShownColumn } from "./grid-row.tsx";
import { cursorAt, movedCursor, rangeOf, type GridCell, type GridCursor, type GridRange } from "./grid-cursor.ts";

export interface GridColumn {
  readonly id: string;
  /** Name of the column, also for assistive technology. */
  readonly label: string;
  /** Content of the header; absent: the label. */
  readonly header?: ReactNode;
  /** Minimum width in pixels; columns grow to fill the grid. */
  readonly width: number;
}

export interface GridHandle {
  readonly focus: () => void;
  readonly scrollTo: (cell: GridCell) => void;
  /** The cell that an element belongs to. */
  readonly cellOf: (target: EventTarget | null) => GridCell | undefined;
}

/** Clipboard and drag-and-drop events. */
type TransferEvents = Pick<
  ComponentProps<"div">,
  "onCopy" | "onCut" | "onPaste" | "onDragOver" | "onDragLeave" | "onDrop"
>;

interface VirtualGridProps extends TransferEvents {
  readonly label: string;
  readonly id?: string;
  readonly rows: number;
  readonly columns: readonly GridColumn[];
  /** Number of pinned columns on the left. */
  readonly pinned: number;
  readonly rowPx: number;
  /** The active cell; undefined until there is one. */
  readonly cursor: GridCursor | undefined;
  readonly onCursor: (cursor: GridCursor) => void;
  /** Renders the content of a cell. Rows rerender when it changes. */
  readonly renderCell: (row: number, column: number) => ReactNode;
  /** Marks of a cell other than the cursor. */
  readonly marksOf?: ((row: number, column: number) => CellMarks) | undefined;
  /** Row selection; absent if the cursor's range selects cells. */
  readonly isRowSelected?: ((row: number) => boolean) | undefined;
  /** Id of the element that describes the active cell. */
  readonly describedBy?: string | undefined;
  /** Called before keys move the cursor; true: the key was handled. */
  readonly onKey?: ((event: KeyboardEvent<HTMLElement>) => boolean) | undefined;
  /** Enter, or a double click. */
  readonly onOpen?: ((cell: GridCell) => void) | undefined;
  readonly className?: string;
  readonly handle?: Ref<GridHandle>;
}

const HEAD_PX = 34;
const OVERSCAN = 8;

/**
 * A grid virtualized in both directions. It has the focus itself and references its active cell
 * (WAI-ARIA APG, Grid Pattern, with aria-activedescendant), so that scrolling never loses the focus.
 */
export function VirtualGrid(props: VirtualGridProps) {
  const { rows, columns, cursor } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const cells = useVirtualCells(props, box);
  const { scrollTo } = cells;
  const events = useGridEvents(props, { box, scrollTo, page: cells.page });
  useImperativeHandle(props.handle, () => ({ focus: () => box.current?.focus(), scrollTo, cellOf }), [scrollTo]);
  return (
    <div
      ref={box}
      id={props.id}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length}
      aria-multiselectable
      aria-activedescendant={cursor && cellId(id, cursor.active)}
      // The active cell shows the focus.
      className={`group/grid relative overflow-auto overscroll-x-contain ${cursor === undefined ? "-outline-offset-2" : "outline-none"} ${props.className ?? ""}`}
      {...events}
      {...transferEvents(props)}
    >
      <GridHead columns={columns} shown={cells.shownColumns} width={cells.width} />
      <GridBody {...props} gridId={id} cells={cells} />
    </div>
  );
}

function transferEvents({ onCopy, onCut, onPaste, onDragOver, onDragLeave, onDrop }: TransferEvents) {
  return { onCopy, onCut, onPaste, onDragOver, onDragLeave, onDrop };
}

interface GridBodyProps extends VirtualGridProps {
  readonly gridId: string;
  readonly cells: ReturnType<typeof useVirtualCells>;
}

function GridBody({ gridId, cells, cursor, renderCell, marksOf, isRowSelected, rowPx, describedBy }: GridBodyProps) {
  const { rowItems, shownColumns, width, bodyHeight } = cells;
  const range = cursor && rangeOf(cursor);
  return (
    <div role="rowgroup" className="relative" style={{ height: bodyHeight, width }}>
      {rowItems.map(({ index, start }) => (
        <GridRow
          key={index}
          gridId={gridId}
          row={index}
          top={start - HEAD_PX}
          height={rowPx}
          width={width}
          columns={shownColumns}
          activeColumn={cursor?.active.row === index ? cursor.active.column : undefined}
          range={rangeInRow(range, index)}
          describedBy={cursor?.active.row === index ? describedBy : undefined}
          selected={isRowSelected?.(index)}
          renderCell={renderCell}
          marksOf={marksOf}
        />
      ))}
    </div>
  );
}

/** Returns one object per column range, so that rows need not rerender while it is unchanged. */
function rangeInRow(range: GridRange | undefined, row: number): string | undefined {
  return range !== undefined && row >= range.top && row <= range.bottom ? `${range.left} ${range.right}` : undefined;
}

const GridHead = memo(function GridHead({
  columns,
  shown,
  width,
}: {
  readonly columns: readonly GridColumn[];
  readonly shown: readonly ShownColumn[];
  readonly width: number;
}) {
  return (
    <div role="rowgroup" className="sticky top-0 z-2" style={{ width, height: HEAD_PX }}>
      <div role="row" aria-rowindex={1} className="relative flex h-full border-b border-line bg-surface">
        {shown.map(({ index, start, size, isPinned }) => {
          const column = columns[index];
          return (
            column !== undefined && (
              <div
                key={column.id}
                role="columnheader"
                aria-colindex={index + 1}
                title={column.label}
                className={`flex items-center overflow-hidden px-2.5 text-caption font-semibold text-soft ${isPinned ? "sticky z-1 shrink-0 border-r border-line bg-surface" : "absolute inset-y-0"}`}
                style={{ left: start, width: size }}
              >
                {column.header ?? <span className="truncate">{column.label}</span>}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
});

function cellId(gridId: string, { row, column }: GridCell): string {
  return `${gridId}-${row}-${column}`;
}

/** The cell that an element belongs to. */
function cellOf(target: EventTarget | null): GridCell | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-cell]") : null;
  const [row, column] = cell?.dataset["cell"]?.split(" ").map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}

type BoxRef = { readonly current: HTMLDivElement | null };

/** The rendered rows and columns: visible ones, pinned columns, and those of the active cell. */
function useVirtualCells(props: VirtualGridProps, box: BoxRef) {
  const { rows, pinned, rowPx, cursor } = props;
  const activeRow = cursor?.active.row;
  const vertical = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    rangeExtractor: (range) => withPlaces(range, activeRow === undefined ? [] : [activeRow]),
  });
  const { height = 0, width = 0 } = vertical.scrollRect ?? {};
  const horizontal = useColumns(props, { box, boxWidth: width });
  useEffect(() => vertical.measure(), [vertical, rowPx]);
  const { virtualizer } = horizontal;
  const scrollTo = useCallback(
    ({ row, column }: GridCell): void => {
      vertical.scrollToIndex(row, { align: "auto" });
      if (column >= pinned) virtualizer.scrollToIndex(column, { align: "auto" });
    },
    [vertical, virtualizer, pinned],
  );
  return {
    rowItems: vertical.getVirtualItems(),
    shownColumns: horizontal.shown,
    width: virtualizer.getTotalSize(),
    bodyHeight: vertical.getTotalSize() - HEAD_PX,
    scrollTo,
    page: Math.max(1, Math.floor((height - HEAD_PX) / rowPx) - 1),
  };
}

/** The visible columns; columns that are not pinned share the remaining width. */
function useColumns(
  { columns, pinned, cursor }: VirtualGridProps,
  { box, boxWidth }: { readonly box: BoxRef; readonly boxWidth: number },
) {
  const active = cursor?.active.column;
  const growing = columns.length - pinned;
  const growth = growing === 0 ? 0 : Math.floor(Math.max(0, boxWidth - sum(columns)) / growing);
  const widthAt = (index: number): number => (columns[index]?.width ?? 0) + (index < pinned ? 0 : growth);
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => box.current,
    estimateSize: widthAt,
    overscan: 2,
    scrollPaddingStart: sum(columns.slice(0, pinned)),
    rangeExtractor: (range) => withPlaces(range, [...places(pinned), ...(active === undefined ? [] : [active])]),
  });
  const widths = columns.map((_, index) => widthAt(index)).join();
  useEffect(() => virtualizer.measure(), [virtualizer, widths]);
  const items = virtualizer.getVirtualItems();
  const key = items.map(({ index, start, size }) => `${index} ${start} ${size}`).join();
  const shown = useMemo(
    () => items.map(({ index, start, size }) => ({ index, start, size, isPinned: index < pinned })),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the key says all about the items
    [key, pinned],
  );
  return { virtualizer, shown };
}

function sum(columns: readonly GridColumn[]): number {
  return columns.reduce((total, { width }) => total + width, 0);
}

function places(count: number): readonly number[] {
  return Array.from({ length: count }, (_, place) => place);
}

function withPlaces(range: Range, more: readonly number[]): number[] {
  const wanted = more.filter((place) => place < range.count);
  return [...new Set([...defaultRangeExtractor(range), ...wanted])].toSorted((a, b) => a - b);
}

interface GridParts {
  readonly box: BoxRef;
  readonly scrollTo: (cell: GridCell) => void;
  readonly page: number;
}

/** Keyboard and pointer events of a grid. */
function useGridEvents(props: VirtualGridProps, { box, scrollTo, page }: GridParts) {
  const { rows, columns, cursor, onCursor, onKey, onOpen } = props;
  const move = (next: GridCursor): void => {
    onCursor(next);
    scrollTo(next.active);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== box.current || event.nativeEvent.isComposing) return;
    if (onKey?.(event) === true) return event.preventDefault();
    const moved = movedCursor(cursor ?? cursorAt(0, 0), event, { rows, columns: columns.length, page });
    if (moved !== undefined) {
      event.preventDefault();
      return move(cursor === undefined ? cursorAt(0, 0) : moved);
    }
    if (event.key !== "Enter" || cursor === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onOpen?.(cursor.active);
  };
  const onDoubleClick = ({ target }: { readonly target: EventTarget }): void => {
    const cell = cellOf(target);
    if (cell !== undefined && !isOfControl(target, box.current)) onOpen?.(cell);
  };
  const onFocus = (event: { readonly target: EventTarget }): void => {
    if (event.target === box.current && cursor === undefined && rows > 0) onCursor(cursorAt(0, 0));
  };
  return { onKeyDown, ...usePresses(props, box), onDoubleClick, onFocus };
}

/** A click activates a cell; dragging extends the range. */
function usePresses({ cursor, onCursor }: VirtualGridProps, box: BoxRef) {
  const isPressed = useRef(false);
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    const cell = cellOf(event.target);
    if (cell === undefined || event.button !== 0 || isOfControl(event.target, box.current)) return;
    isPressed.current = event.pointerType === "mouse";
    if (event.shiftKey) event.preventDefault(); // the browser would select text
    box.current?.focus({ preventScroll: true }); // the first focus activates the first cell, so it comes before the click
    onCursor({ active: cell, anchor: event.shiftKey && cursor !== undefined ? cursor.anchor : cell });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!isPressed.current || event.buttons !== 1 || cursor === undefined) return void (isPressed.current = false);
    const cell = cellOf(event.target);
    if (cell === undefined || (cell.row === cursor.active.row && cell.column === cursor.active.column)) return;
    onCursor({ active: cell, anchor: cursor.anchor });
  };
  return { onPointerDown, onPointerMove };
}

/** Inputs within cells handle pointer events themselves. */
function isOfControl(target: EventTarget, box: HTMLElement | null): boolean {
  const control = target instanceof Element ? target.closest("input, select, textarea, button, a") : null;
  return control !== null && box?.contains(control) === true;
}
