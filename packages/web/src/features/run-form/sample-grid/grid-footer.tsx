import { countText } from "../../../format/count-text.ts";
import { isFileValue } from "../../../format/value-text.ts";
import { FormatSelect } from "../files/format-select.tsx";
import { faultAfter, faultKey, type GridFaults } from "./grid-faults.ts";
import { cellText, type GridPort } from "./grid-port.ts";
import { cellValueAt, NAMES, rowCount, withBlock, type SampleRows } from "./sample-rows.ts";
import type { GridActions } from "./use-grid-actions.ts";

export interface GridFooterProps {
  readonly id: string;
  readonly ports: readonly GridPort[];
  readonly rows: SampleRows;
  readonly faults: GridFaults;
  readonly actions: GridActions;
}

/** The value of the active cell or its error, and the number of samples and errors. */
export function GridFooter({ id, ports, rows, faults, actions }: GridFooterProps) {
  const { cursor, goTo } = actions;
  const next = faultAfter(faults, cursor?.active);
  return (
    <div className="flex h-10 items-center gap-3 border-t border-line bg-sunken/40 px-2.5 text-[0.8125rem]">
      <span id={id} className="min-w-0 flex-1 truncate">
        {cursor !== undefined && <CellText {...{ ports, rows, faults, actions }} />}
      </span>
      {cursor !== undefined && <CellFormat ports={ports} rows={rows} actions={actions} />}
      <span className="shrink-0 text-soft tabular-nums">{countText(rowCount(rows), "sample")}</span>
      {next !== undefined && (
        <button type="button" className="btn btn-small btn-danger" onClick={() => goTo(next)}>
          Next error ({faults.size})
        </button>
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
