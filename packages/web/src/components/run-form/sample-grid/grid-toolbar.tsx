import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import type { GridPort } from "./grid-port.ts";
import type { GridActions } from "./use-grid-actions.ts";

const AddMenu = onDemand(
  async () => ({ default: (await import("../form-menus.tsx")).AddMenu }),
  <Button small disabled>
    Add samples <Icon name="chevronDown" className="size-3.5" />
  </Button>,
);

export interface GridToolbarProps {
  readonly ports: readonly GridPort[];
  readonly inputs: readonly InputRecord[];
  /** The page that finds samples in datasets. */
  readonly datasets: string | undefined;
  readonly actions: GridActions;
}

/** Buttons for the actions on the selected cells and rows. */
export function GridToolbar({ actions, ...sources }: GridToolbarProps) {
  const { chosenRows } = actions;
  return (
    <div role="group" aria-label="Edit the samples" className="mb-2 flex flex-wrap items-center gap-1.5">
      <AddMenu actions={actions} {...sources} />
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
