import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useState } from "react";
import type { FileValue } from "../../../format/value-text.ts";
import { type GridCell, type GridCursor, type GridRange, cursorAt, rangeOf } from "../../../ui/grid/grid-cursor.ts";
import type { GridHandle } from "../../../ui/grid/virtual-grid.tsx";
import { showError } from "../../../ui/toast.tsx";
import { useFormStore } from "../fields/form-context.ts";
import { type Uploads, useUploads } from "../files/upload-list.tsx";
import { asFormat } from "../model/file-format.ts";
import type { EditEnd } from "./cell-editor.tsx";
import { blockText, firstEmpty, pasted, placeFiles, readBlock, textsOf, valueIn } from "./edit-rows.ts";
import { type GridPort, cellText, knownFiles } from "./grid-port.ts";
import { MAX_SAMPLES } from "./map-sheet.ts";
import {
  type SampleRows,
  cellValueAt,
  rowCount,
  withBlock,
  withCopies,
  withEmptyRows,
  withFillDown,
  withoutCells,
  withoutRows,
} from "./sample-rows.ts";
import type { SampleRowsControl } from "./use-sample-rows.ts";

export interface GridParts {
  readonly ports: readonly GridPort[];
  readonly inputs: readonly InputRecord[];
  readonly control: SampleRowsControl;
  readonly grid: { readonly current: GridHandle | null };
}

export type GridActions = ReturnType<typeof useGridActions>;

/** All actions on the grid, for keys, mouse and buttons. */
export function useGridActions(parts: GridParts) {
  const { control, grid } = parts;
  const [cursor, setCursor] = useState<GridCursor | undefined>(undefined);
  const goTo = (cell: GridCell): void => {
    // On first focus, the grid activates its first cell.
    grid.current?.focus();
    setCursor(cursorAt(cell.row, cell.column));
    grid.current?.scrollTo(cell);
  };
  const withCursor = { ...parts, cursor, setCursor, goTo };
  const editing = useCellEditing(withCursor);
  const rowActions = useRowActions(withCursor);
  const { note, clipboard } = useClipboard(withCursor);
  const files = useFilesIntoCells(withCursor);
  const onKey = (event: KeyboardEvent<HTMLElement>): boolean => {
    if (cursor === undefined || event.altKey) return false;
    if (event.ctrlKey || event.metaKey) return actOnModifiedKey(event, { ...rowActions, ...control });
    if (event.key === "Delete" || event.key === "Backspace") return done(rowActions.clear);
    if (event.key === "F2") return done(() => editing.startEdit(cursor.active));
    if (event.key === "Escape" && cursor.active !== cursor.anchor)
      return done(() => setCursor(cursorAt(cursor.active.row, cursor.active.column)));
    if (event.key.length !== 1 || event.key === " ") return false;
    return done(() => editing.startEdit(cursor.active, event.key));
  };
  return { ...control, cursor, setCursor, goTo, ...editing, ...rowActions, note, clipboard, ...files, onKey };
}

function done(act: () => void): true {
  act();
  return true;
}

interface ModifiedActions {
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  readonly fillDown: () => void;
  readonly selectAll: () => void;
}

function actOnModifiedKey({ key, shiftKey }: KeyboardEvent, actions: ModifiedActions): boolean {
  switch (key.toLowerCase()) {
    case "z":
      return done(() => (shiftKey ? actions.redo : actions.undo)?.());
    case "y":
      return done(() => actions.redo?.());
    case "d":
      return done(actions.fillDown);
    case "a":
      return done(actions.selectAll);
    default:
      return false;
  }
}

interface CursorParts extends GridParts {
  readonly cursor: GridCursor | undefined;
  readonly setCursor: (cursor: GridCursor) => void;
  readonly goTo: (cell: GridCell) => void;
}

interface EditedCell {
  readonly cell: GridCell;
  readonly text: string;
}

const MOVES: Readonly<Record<EditEnd, readonly [rows: number, columns: number]>> = {
  stay: [0, 0],
  down: [1, 0],
  up: [-1, 0],
  right: [0, 1],
  left: [0, -1],
};

function useCellEditing({ ports, control, goTo }: CursorParts) {
  const store = useFormStore();
  const [editing, setEditing] = useState<EditedCell | undefined>(undefined);
  const { rows, change } = control;
  const startEdit = (cell: GridCell, typed?: string): void =>
    setEditing({ cell, text: typed ?? cellText(cellValueAt(rows, cell)) });
  const endEdit = (text: string | undefined, move: EditEnd | undefined): void => {
    if (editing === undefined) return;
    const { cell } = editing;
    setEditing(undefined);
    const isChanged = text !== undefined && text !== cellText(cellValueAt(rows, cell));
    if (isChanged) {
      const value = valueIn(ports, cell.column, { text, known: knownFiles(store.values()) });
      change((old) => withBlock(old, cell, [[value]]));
    }
    if (move === undefined) return;
    const [down, right] = MOVES[move];
    const last = rowCount(rows) + (isChanged && cell.row === rowCount(rows) ? 1 : 0);
    goTo({
      row: Math.max(0, Math.min(cell.row + down, last)),
      column: Math.max(0, Math.min(cell.column + right, ports.length)),
    });
  };
  return { editing, startEdit, endEdit };
}

function useRowActions({ ports, control, cursor, setCursor, goTo }: CursorParts) {
  const { rows, change } = control;
  const count = rowCount(rows);
  const range = cursor === undefined ? undefined : rangeOf(cursor);
  /** The selection is limited to existing rows. */
  const chosen =
    range === undefined || range.top >= count ? undefined : { ...range, bottom: Math.min(range.bottom, count - 1) };
  const onChosen = (edit: (rows: SampleRows, range: GridRange) => SampleRows) => (): void => {
    if (chosen !== undefined) change((old) => edit(old, chosen));
  };
  return {
    chosenRows: chosen,
    clear: onChosen(withoutCells),
    fillDown: onChosen(withFillDown),
    duplicate: onChosen(withCopies),
    addRow: (): void => {
      const at = chosen === undefined ? count : chosen.bottom + 1;
      change((old) => withEmptyRows(old, at, 1));
      goTo({ row: at, column: cursor?.active.column ?? 0 });
    },
    removeRows: (): void => {
      if (chosen === undefined) return;
      change((old) => withoutRows(old, (row) => row >= chosen.top && row <= chosen.bottom));
      goTo({ row: chosen.top, column: cursor?.active.column ?? 0 });
    },
    selectAll: (): void =>
      setCursor({ active: { row: Math.max(0, count - 1), column: ports.length }, anchor: { row: 0, column: 0 } }),
  };
}

function useClipboard({ ports, inputs, control, cursor, setCursor }: CursorParts) {
  const store = useFormStore();
  /** The columns that the last paste has matched or ignored. */
  const [note, setNote] = useState<string | undefined>(undefined);
  const { rows, change } = control;
  const copy = (event: ClipboardEvent): void => {
    if (cursor === undefined || isInInput(event)) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", blockText(textsOf(rows, rangeOf(cursor))));
  };
  const onCut = (event: ClipboardEvent): void => {
    if (cursor === undefined || isInInput(event)) return;
    copy(event);
    change((old) => withoutCells(old, rangeOf(cursor)));
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (isInInput(event)) return;
    const text = event.clipboardData.getData("text/plain");
    if (text === "") return;
    event.preventDefault();
    const range = cursor === undefined ? { top: 0, bottom: 0, left: 0, right: 0 } : rangeOf(cursor);
    const block = readBlock(text, MAX_SAMPLES + 2);
    if (block.length > MAX_SAMPLES + 1)
      return showError(`Nothing was pasted: at most ${numberText(MAX_SAMPLES)} rows fit into the grid`);
    const result = pasted(rows, block, { ports, inputs, known: knownFiles(store.values()), range });
    change(() => result.rows);
    const { top, bottom, left, right } = result.range;
    setCursor({ active: { row: top, column: left }, anchor: { row: bottom, column: right } });
    setNote(result.note);
  };
  return { note, clipboard: { onCopy: copy, onCut, onPaste } };
}

/** The cell editor handles the clipboard itself. */
function isInInput({ target }: ClipboardEvent): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

function useFilesIntoCells({ ports, control, grid, cursor }: CursorParts) {
  const uploads: Uploads = useUploads();
  const { rows, change } = control;
  const portAt = (column: number): GridPort | undefined => ports[column - 1];
  const firstFileColumn = ports.findIndex(({ fileKind }) => fileKind !== undefined) + 1;
  /** Target of files selected by a button: the active cell, else the first cell without a file. */
  const fileCell = (): GridCell => {
    const active = cursor?.active;
    if (active !== undefined && portAt(active.column)?.fileKind !== undefined) return active;
    const column = firstFileColumn;
    return { row: firstEmpty(rows, { row: active?.row ?? 0, column }), column };
  };
  const put = (file: FileValue, { row, column }: GridCell): void =>
    change((old) => withBlock(old, { row, column }, [[asFormat(file, portAt(column)?.formats)]]));
  const upload = (files: readonly File[], at: GridCell): void => {
    const places = placeFiles(
      rows.lists[at.column - 1] ?? [],
      files.map(({ name }) => name),
      at.row,
    );
    uploads.start(files, (file, place) => put(file, { row: places[place] ?? at.row, column: at.column }));
  };
  return { uploads, ...useFileDrop({ ports, grid, upload }), upload, fileCell, putFile: put };
}

interface FileDropParts extends Pick<GridParts, "ports" | "grid"> {
  readonly upload: (files: readonly File[], at: GridCell) => void;
}

/** Handles files dragged over cells; over a column of another type, they go to the file column of the row. */
function useFileDrop({ ports, grid, upload }: FileDropParts) {
  const [dropAt, setDropAt] = useState<GridCell | undefined>(undefined);
  const cellUnder = (event: DragEvent): GridCell | undefined => {
    const cell = grid.current?.cellOf(event.target);
    if (cell === undefined || !event.dataTransfer.types.includes("Files")) return undefined;
    return ports[cell.column - 1]?.fileKind === "File" ? cell : fileColumnOf(ports, cell);
  };
  const drop = {
    onDragOver: (event: DragEvent): void => {
      const cell = cellUnder(event);
      if (cell === undefined) return;
      event.preventDefault();
      if (dropAt?.row !== cell.row || dropAt.column !== cell.column) setDropAt(cell);
    },
    onDragLeave: (): void => setDropAt(undefined),
    onDrop: (event: DragEvent): void => {
      const cell = cellUnder(event);
      setDropAt(undefined);
      if (cell === undefined) return;
      event.preventDefault();
      upload([...event.dataTransfer.files], cell);
    },
  };
  return { drop, dropAt };
}

function fileColumnOf(ports: readonly GridPort[], { row }: GridCell): GridCell | undefined {
  const place = ports.findIndex(({ fileKind }) => fileKind === "File");
  return place < 0 ? undefined : { row, column: place + 1 };
}
