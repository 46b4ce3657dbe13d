import { useRef, useState } from "react";
import type { FileValue } from "../../format/value-text.ts";
import { useFilePicker } from "../../ui/file-picker.tsx";
import type { GridCell } from "../../ui/grid/grid-cursor.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuCheck, MenuItem, MenuLine, MenuName } from "../../ui/menu.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { usePersisted } from "../../ui/persisted.ts";
import { saveFile } from "../../ui/save-file.ts";
import { showError } from "../../ui/toast.tsx";
import { technicalNames, useFormStore } from "./fields/form-context.ts";
import type { FormToolbarProps } from "./form-toolbar.tsx";
import { datasetsOf, type RunTarget } from "./run-target.ts";
import type { GridToolbarProps } from "./sample-grid/grid-toolbar.tsx";
import { scatteredInputs } from "./sample-grid/scattered-inputs.ts";
import { loadSyntax } from "./text/input-syntax.ts";

const BrowseDialog = onDemand(() => import("./files/browse-dialog.tsx"));
const ImportSheetDialog = onDemand(() => import("./sample-grid/import-sheet-dialog.tsx"));

interface ExampleMenuProps extends Pick<FormToolbarProps, "onFill"> {
  readonly examples: RunTarget["examples"];
}

export function ExampleMenu({ examples, onFill }: ExampleMenuProps) {
  return (
    <Menu button={<MenuName name="Use example" />}>
      {examples.map(({ name, inputs }) => (
        <MenuItem key={name} onClick={() => onFill(inputs)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

const SYNTAX_ENDS = { yaml: "yml", json: "json" } as const;

/**
 * Rare actions with all inputs. They are saved in the syntax of the current view; in the form view as YAML, which
 * `weft run` and other runners accept.
 */
export function InputsMenu({ target, view, onFill, onLoad }: Omit<FormToolbarProps, "onView">) {
  const store = useFormStore();
  const [isNamed, setNamed] = usePersisted(technicalNames);
  const datasets = datasetsOf(target);
  const hasGrid = scatteredInputs(target.steps, target.inputs, store.values()).length > 0;
  const syntax = view === "json" ? "json" : "yaml";
  const end = SYNTAX_ENDS[syntax];
  const accept = ".yml,.yaml,.json,application/json";
  const { input, choose } = useFilePicker({ label: "Input file", accept, onFiles: ([file]) => onLoad(file) });
  const save = async (): Promise<void> => {
    const { write } = await loadSyntax(syntax);
    saveFile(write(store.values()), { name: `${target.id}-inputs.${end}`, type: `application/${syntax}` });
  };
  return (
    <>
      {input}
      <Menu button={<Icon name="more" />} label="More actions with the inputs" className="w-10 px-0">
        {datasets !== undefined && !hasGrid && <MenuItem to={datasets}>Samples from a dataset…</MenuItem>}
        <MenuItem onClick={choose}>Load from file…</MenuItem>
        <MenuItem onClick={() => void save().catch(() => showError("The inputs could not be saved as a file"))}>
          Download inputs.{end}
        </MenuItem>
        <MenuItem onClick={() => onFill({})}>Reset form</MenuItem>
        <MenuLine />
        <MenuCheck checked={isNamed} onCheck={setNamed}>
          Technical names
        </MenuCheck>
      </Menu>
    </>
  );
}

/** The ways to add samples other than by typing and pasting. */
export function AddMenu({ ports, inputs, datasets, actions }: GridToolbarProps) {
  const [dialog, setDialog] = useState<"sheet" | GridCell>();
  const chosen = useRef(0);
  const port = ports[actions.fileCell().column - 1];
  const { input, choose } = useFilePicker({
    label: `Upload for ${port?.label ?? ""}`,
    multiple: true,
    onFiles: (files) => actions.upload(files, actions.fileCell()),
  });
  const browse = (): void => {
    chosen.current = 0;
    setDialog(actions.fileCell());
  };
  const close = (): void => setDialog(undefined);
  const putFile = (file: FileValue, { row, column }: GridCell): void =>
    actions.putFile(file, { row: row + chosen.current++, column });
  return (
    <>
      {input}
      <Menu button={<MenuName name="Add samples" />} className="btn-small">
        {datasets !== undefined && <MenuItem to={datasets}>From a dataset…</MenuItem>}
        {port?.fileKind === "File" && <MenuItem onClick={choose}>Upload files…</MenuItem>}
        {port?.fileKind !== undefined && <MenuItem onClick={browse}>Browse data folders…</MenuItem>}
        <MenuItem onClick={() => setDialog("sheet")}>Import a sheet…</MenuItem>
      </Menu>
      {dialog === "sheet" && <ImportSheetDialog inputs={inputs} onRows={actions.change} onClose={close} />}
      {typeof dialog === "object" && port?.fileKind !== undefined && (
        <BrowseDialog
          kind={port.fileKind}
          label={port.label}
          multiple
          onChoose={(file) => putFile(file, dialog)}
          onClose={close}
        />
      )}
    </>
  );
}
