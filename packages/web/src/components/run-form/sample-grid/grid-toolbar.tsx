import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import type { GridCell } from "../../../ui/grid/grid-cursor.ts";
import { FilePicker } from "../../../ui/file-picker.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import type { GridPort } from "./grid-port.ts";
import type { GridActions } from "./use-grid-actions.ts";
import { onDemand } from "../../../ui/on-demand.tsx";

const BrowseDialog = onDemand(() => import("../files/browse-dialog.tsx"));
const ImportSheetDialog = onDemand(() => import("./import-sheet-dialog.tsx"));

interface GridToolbarProps {
  readonly ports: readonly GridPort[];
  readonly inputs: readonly InputRecord[];
  readonly actions: GridActions;
}

/** Buttons for the actions on the selected cells and rows. */
export function GridToolbar({ ports, inputs, actions }: GridToolbarProps) {
  const { chosenRows } = actions;
  const [isImporting, setIsImporting] = useState(false);
  return (
    <div role="group" aria-label="Edit the samples" className="mb-2 flex flex-wrap items-center gap-1.5">
      <FileButtons ports={ports} actions={actions} />
      <Button small aria-haspopup="dialog" onClick={() => setIsImporting(true)}>
        <Icon name="file" className="size-3.5" /> Import a sheet…
      </Button>
      {isImporting && (
        <ImportSheetDialog inputs={inputs} onRows={actions.change} onClose={() => setIsImporting(false)} />
      )}
      <span className="mx-1 h-5 border-l border-line max-md:hidden" />
      <Tool icon="plus" label="Add row" onClick={actions.addRow} />
      <Tool icon="copy" label="Duplicate" disabled={chosenRows === undefined} onClick={actions.duplicate} />
      <Tool icon="minus" label="Remove" disabled={chosenRows === undefined} onClick={actions.removeRows} />
      <Tool
        icon="down"
        label="Fill down"
        keys="Ctrl+D"
        disabled={chosenRows === undefined}
        onClick={actions.fillDown}
      />
      <Tool icon="undo" label="Undo" keys="Ctrl+Z" bare disabled={actions.undo === undefined} onClick={actions.undo} />
      <Tool icon="redo" label="Redo" keys="Ctrl+Y" bare disabled={actions.redo === undefined} onClick={actions.redo} />
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys?: string;
  /** True if the icon says enough. */
  readonly bare?: boolean;
  readonly disabled?: boolean;
  readonly onClick: (() => void) | undefined;
}

function Tool({ icon, label, keys, bare = false, disabled = false, onClick }: ToolProps) {
  return (
    <Button
      look="quiet"
      small
      aria-label={bare ? label : undefined}
      title={keys === undefined ? undefined : `${label} (${keys})`}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} className="size-3.5" /> {!bare && label}
    </Button>
  );
}

function FileButtons({ ports, actions }: Pick<GridToolbarProps, "ports" | "actions">) {
  const [browsing, setBrowsing] = useState<GridCell | undefined>(undefined);
  const chosen = useRef(0);
  if (ports.every(({ fileKind }) => fileKind === undefined)) return null;
  const port = ports[actions.fileCell().column - 1];
  const browse = (): void => {
    chosen.current = 0;
    setBrowsing(actions.fileCell());
  };
  return (
    <>
      {port?.fileKind === "File" && (
        <FilePicker
          label={`Upload for ${port.label}`}
          multiple
          icon="upload"
          text="Upload files…"
          className="btn-small"
          onFiles={(files) => actions.upload(files, actions.fileCell())}
        />
      )}
      <Button small onClick={browse}>
        <Icon name="folder" className="size-3.5" /> Browse data folders…
      </Button>
      {browsing !== undefined && port?.fileKind !== undefined && (
        <BrowseDialog
          kind={port.fileKind}
          label={port.label}
          multiple
          onChoose={(file) => actions.putFile(file, { row: browsing.row + chosen.current++, column: browsing.column })}
          onClose={() => setBrowsing(undefined)}
        />
      )}
    </>
  );
}
