import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { fileName, folderText, isFileValue } from "../../../format/value-text.ts";
import { Button } from "../../../ui/button.tsx";
import type { GridCell } from "../../../ui/grid/grid-cursor.ts";
import { type GridColumn, type GridHandle, VirtualGrid } from "../../../ui/grid/virtual-grid.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { usePersisted } from "../../../ui/persisted.ts";
import { fieldId, onReveal, technicalNames, useFormStore } from "../fields/form-context.ts";
import { FormatSelect } from "../files/file-chooser.tsx";
import { UploadList } from "../files/upload-list.tsx";
import { acceptsNull } from "../model/cwl-type-facts.ts";
import { CellEditor } from "./cell-editor.tsx";
import { type GridPort, cellText, portsOf } from "./grid-port.ts";
import { GridToolbar } from "./grid-toolbar.tsx";
import {
  cellOfPointer,
  faultAfter,
  faultKey,
  findFaults,
  NAMES,
  cellValueAt,
  derivedName,
  isBlank,
  rowCount,
  withBlock,
  type GridFaults,
  type SampleRows,
} from "./sample-rows.ts";
import { type GridActions, useGridActions } from "./use-grid-actions.ts";
import { useSampleRows } from "./use-sample-rows.ts";

const ROW_PX = 36;
const MAX_ROWS_SHOWN = 14;
const FOOTER_ID = "sample-grid-cell";

interface SampleGridProps {
  readonly inputs: readonly InputRecord[];
  /** The page that finds samples in datasets. */
  readonly datasets: string | undefined;
}

/** The samples of a run: one row each, with a cell per scattered input. The last row is empty, for new samples. */
export default function SampleGrid({ inputs, datasets }: SampleGridProps) {
  const [ports] = useState(() => portsOf(inputs));
  const store = useFormStore();
  const grid = useRef<GridHandle>(null);
  const control = useSampleRows(ports);
  const { rows } = control;
  const problems = useSyncExternalStore(store.subscribe, store.problems);
  const faults = useMemo(() => findFaults(ports, rows, problems), [ports, rows, problems]);
  const actions = useGridActions({ ports, inputs, control, grid });
  useEffect(() =>
    // Moves to the cell of a problem that the user opens.
    onReveal((pointer) => {
      const cell = cellOfPointer(ports, pointer);
      if (cell !== undefined) actions.goTo(cell);
    }),
  );
  const shown = Math.min(rowCount(rows) + 1, MAX_ROWS_SHOWN);
  return (
    <section aria-labelledby="samples-title" className="min-w-0">
      <GridHeading ports={ports} />
      <GridToolbar ports={ports} inputs={inputs} datasets={datasets} actions={actions} />
      <div className="card overflow-hidden" style={{ height: 34 + Math.max(4, shown) * ROW_PX + 42 }}>
        <GridCells {...{ ports, rows, faults, actions, grid }} />
        <GridFooter {...{ ports, rows, faults, actions }} />
      </div>
      <p role="status" className="mt-1 text-small wrap-anywhere text-soft">
        {actions.note}
      </p>
      <UploadList uploads={actions.uploads} />
    </section>
  );
}

interface GridCellsProps {
  readonly ports: readonly GridPort[];
  readonly rows: SampleRows;
  readonly faults: GridFaults;
  readonly actions: GridActions;
  readonly grid: RefObject<GridHandle | null>;
}

function GridCells({ ports, rows, faults, actions, grid }: GridCellsProps) {
  const [isNamed] = usePersisted(technicalNames);
  const columns = columnsOf(ports, isNamed);
  const { dropAt } = actions;
  const marksOf = (row: number, column: number) => {
    const fault = faults.get(`${row} ${column}`);
    const isTarget = dropAt !== undefined && dropAt.row === row && dropAt.column === column;
    return { isWrong: fault !== undefined, isTarget, title: fault ?? cellText(cellValueAt(rows, { row, column })) };
  };
  return (
    <VirtualGrid
      handle={grid}
      id={fieldId(ports[0] === undefined ? [] : [ports[0].id])}
      className="h-[calc(100%-40px)]"
      label="Samples"
      rows={rowCount(rows) + 1}
      columns={columns}
      pinned={1}
      rowPx={ROW_PX}
      cursor={actions.cursor}
      onCursor={actions.setCursor}
      renderCell={cellRenderer({ ports, rows, columns, actions })}
      marksOf={marksOf}
      describedBy={FOOTER_ID}
      onOpen={actions.startEdit}
      onKey={actions.onKey}
      {...actions.clipboard}
      {...actions.drop}
    />
  );
}

interface RenderedCellParts extends Pick<GridCellsProps, "ports" | "rows" | "actions"> {
  readonly columns: readonly GridColumn[];
}

/** Content of a cell: its value, or its editor. */
function cellRenderer({ ports, rows, columns, actions: { editing, endEdit } }: RenderedCellParts) {
  return (row: number, column: number) => {
    const cell = { row, column };
    if (editing !== undefined && faultKey(editing.cell) === faultKey(cell))
      return (
        <CellEditor
          label={`${columns[column]?.label ?? ""}, row ${row + 1}`}
          text={editing.text}
          port={ports[column - 1]}
          onEnd={endEdit}
        />
      );
    if (column !== NAMES)
      return <ValueCell value={cellValueAt(rows, cell)} isRequired={isRequiredAt(ports, rows, cell)} />;
    const derived = row < rowCount(rows) ? derivedName(rows, ports, row) : "";
    return <NameCell row={row} name={rows.names[row]} derived={derived} />;
  };
}

function GridHeading({ ports }: { readonly ports: readonly GridPort[] }) {
  return (
    <div className="mb-2">
      <h2 id="samples-title">Samples</h2>
      <p className="text-small text-soft">
        One row per sample. Paste cells from a spreadsheet
        {ports.some(({ fileKind }) => fileKind === "File") ? ", or drop files into a cell" : ""}.
      </p>
    </div>
  );
}

const NAMES_PX = 176;

function columnsOf(ports: readonly GridPort[], isNamed: boolean): readonly GridColumn[] {
  return [
    { id: "", label: "Sample name", width: NAMES_PX },
    ...ports.map((port) => ({
      id: port.id,
      label: port.label,
      width: port.fileKind === undefined ? 140 : 200,
      header: (
        <span className="truncate">
          <span className="text-ink">{port.label}</span>
          {isNamed && port.label !== port.id && <span className="font-normal"> {port.id}</span>}
          {!port.isRequired && <span className="font-normal"> (optional)</span>}
        </span>
      ),
    })),
  ];
}

interface NameCellProps {
  readonly row: number;
  /** The name of the sample; undefined in the row for new samples. */
  readonly name: string | undefined;
  readonly derived: string;
}

function NameCell({ row, name, derived }: NameCellProps) {
  return (
    <>
      <span className="mr-2 w-8 shrink-0 text-right text-caption text-soft tabular-nums">{row + 1}</span>
      {name === undefined ? (
        <span className="text-soft">New sample</span>
      ) : name === "" ? (
        <span className="truncate text-soft">{derived}</span>
      ) : (
        <span className="truncate font-medium">{name}</span>
      )}
    </>
  );
}

/** True if a row must have a value in this column: optional columns need one as soon as they have any. */
function isRequiredAt(ports: readonly GridPort[], rows: SampleRows, { row, column }: GridCell): boolean {
  const port = ports[column - 1];
  if (port === undefined || row >= rowCount(rows) || acceptsNull(port.items)) return false;
  return port.isRequired || (rows.lists[column - 1] ?? []).some((value) => !isBlank(value));
}

function ValueCell({ value, isRequired }: { readonly value: unknown; readonly isRequired: boolean }) {
  if (isBlank(value)) return isRequired && <span className="text-small text-soft">required</span>;
  if (isFileValue(value))
    return (
      <>
        <Icon name={value.class === "File" ? "file" : "folder"} className="mr-1.5 size-3.5 text-soft" />
        <span className="truncate">{fileName(value)}</span>
        {/* Cut at its beginning: folders differ at the end. */}
        <span dir="rtl" className="ml-2 shrink-9999 truncate text-small text-soft">
          <bdi>{folderText(value)}</bdi>
        </span>
      </>
    );
  return <span className={`truncate ${typeof value === "number" ? "tabular-nums" : ""}`}>{cellText(value)}</span>;
}

type GridFooterProps = Omit<GridCellsProps, "grid">;

/** The value of the active cell or its problem, and the number of samples and problems. */
function GridFooter({ ports, rows, faults, actions }: GridFooterProps) {
  const { cursor, goTo } = actions;
  const next = faultAfter(faults, cursor?.active);
  return (
    <div className="flex h-10 items-center gap-3 border-t border-line bg-sunken/40 px-2.5 text-small">
      <span id={FOOTER_ID} className="min-w-0 flex-1 truncate">
        {cursor !== undefined && <CellText {...{ ports, rows, faults, actions }} />}
      </span>
      {cursor !== undefined && <CellFormat ports={ports} rows={rows} actions={actions} />}
      <span className="shrink-0 text-soft tabular-nums">{countText(rowCount(rows), "sample")}</span>
      {next !== undefined && (
        <Button look="danger" small onClick={() => goTo(next)}>
          Next problem ({faults.size})
        </Button>
      )}
    </div>
  );
}

type CellProps = Pick<GridFooterProps, "ports" | "rows" | "actions">;

function CellText({ ports, rows, faults, actions: { cursor } }: CellProps & Pick<GridFooterProps, "faults">) {
  if (cursor === undefined) return null;
  const cell = cursor.active;
  const fault = faults.get(faultKey(cell));
  if (fault !== undefined) return <span className="font-medium text-failed">{fault}</span>;
  const value = cellValueAt(rows, cell);
  if (cell.column === NAMES && (value === "" || value === undefined))
    return <span className="text-soft">Unnamed samples are named after their files</span>;
  if (isFileValue(value)) return <span className="code text-soft">{cellText(value)}</span>;
  return <span className="text-soft">{hintOf(ports[cell.column - 1])}</span>;
}

function hintOf(port: GridPort | undefined): string {
  if (port === undefined) return "";
  if (port.choices.length > 0) return `One of ${port.choices.join(", ")}`;
  if (port.fileKind === "File") return "Enter a path or URL, or upload, browse for or drop a file";
  return port.fileKind === "Directory" ? "Enter a path, or browse for a folder" : "";
}

/** Selects the format of the active cell's file. */
function CellFormat({ ports, rows, actions: { cursor, change } }: CellProps) {
  const cell = cursor?.active;
  const value = cell && cellValueAt(rows, cell);
  if (cell === undefined || !isFileValue(value)) return null;
  return (
    <FormatSelect
      file={value}
      formats={ports[cell.column - 1]?.formats}
      onChange={(file) => change((old) => withBlock(old, cell, [[file]]))}
    />
  );
}
