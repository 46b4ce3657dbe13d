import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { useMemo, useState } from "react";
import { showToast } from "../../../ui/toast.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { countText } from "../../../format/count-text.ts";
import { useFormStore } from "../fields/form-context.ts";
import { columnInputs } from "./column-inputs.ts";
import { filesByName, guessMapping, mapSheet, type SheetMapping } from "./map-sheet.ts";
import { readSheet, type SampleSheet } from "./read-sheet.ts";
import { withColumns, type SampleRows } from "./sample-rows.ts";
import { SheetPreview } from "./sheet-preview.tsx";
import { SheetText } from "./sheet-text.tsx";

export interface ImportSheetDialogProps {
  /** The columns of the grid. */
  readonly inputs: readonly InputRecord[];
  readonly onRows: (change: (rows: SampleRows) => SampleRows) => void;
  readonly onClose: () => void;
}

/** Imports a sheet into the grid: paste or select it, match its columns, check the preview, import. */
export default function ImportSheetDialog({ inputs, onRows, onClose }: ImportSheetDialogProps) {
  const [text, setText] = useState("");
  const reading = useMemo(() => (text.trim() === "" ? undefined : readSheet(text)), [text]);
  return (
    <Modal title="Import a sheet" onClose={onClose} isForm>
      <SheetText text={text} inputs={inputs} onChange={setText} />
      {reading !== undefined && "fault" in reading && (
        <p role="alert" className="mt-2 font-medium text-failed">
          {reading.fault}
        </p>
      )}
      {reading !== undefined && "sheet" in reading && (
        <SheetMapper
          key={reading.sheet.columns.join("\t")}
          sheet={reading.sheet}
          inputs={inputs}
          onRows={onRows}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface SheetMapperProps extends ImportSheetDialogProps {
  readonly sheet: SampleSheet;
}

function SheetMapper({ sheet, inputs, onRows, onClose }: SheetMapperProps) {
  const store = useFormStore();
  const [mapping, setMapping] = useState(() => guessMapping(sheet, inputs));
  const [files] = useState(() => filesByName(store.values()));
  const mapped = useMemo(() => mapSheet(sheet, mapping, { inputs, files }), [sheet, mapping, inputs, files]);
  const count = Object.keys(mapped.lists).length;
  const use = (): void => {
    onRows((rows) => withColumns(rows, inputs, { lists: mapped.lists, names: mapped.samples }));
    showToast(`${countText(sheet.rows.length, "sample")} imported`);
    onClose();
  };
  return (
    <div className="mt-4 space-y-4">
      <ColumnChoices sheet={sheet} inputs={inputs} mapping={mapping} onChange={setMapping} />
      <SheetPreview sheet={sheet} problems={mapped.problems} />
      <div className="flex flex-wrap items-center gap-3">
        <button type="button" className="btn btn-primary" disabled={count === 0} onClick={use}>
          Import {countText(sheet.rows.length, "sample")}
        </button>
        {count === 0 && <span className="text-soft">Match at least one column to an input.</span>}
        {count > 0 && mapped.problems.length > 0 && (
          <span className="text-soft">Cells with errors are marked in the grid.</span>
        )}
      </div>
    </div>
  );
}

interface ColumnChoicesProps {
  readonly sheet: SampleSheet;
  readonly inputs: readonly InputRecord[];
  readonly mapping: SheetMapping;
  readonly onChange: (mapping: SheetMapping) => void;
}

function ColumnChoices({ sheet, inputs, mapping, onChange }: ColumnChoicesProps) {
  const choose = (column: number, id: string): void =>
    onChange({
      ...mapping,
      // An input takes one column only.
      inputs: mapping.inputs.map((old, place) => (place === column ? id : old === id ? "" : old)),
    });
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {sheet.columns.map((column, place) => (
        <label key={column} className="block">
          <span className="mb-1 block font-semibold wrap-anywhere">Column {column}</span>
          <select
            className="input"
            value={mapping.inputs[place] ?? ""}
            onChange={(event) => choose(place, event.target.value)}
          >
            <option value="">Ignore this column</option>
            {columnInputs(inputs).map(({ id, type_text }) => (
              <option key={id} value={id}>
                {id}: {type_text}
              </option>
            ))}
          </select>
        </label>
      ))}
      <NameColumnChoice
        columns={sheet.columns}
        chosen={mapping.nameColumn}
        onChoose={(nameColumn) => onChange({ ...mapping, nameColumn })}
      />
    </div>
  );
}

interface NameColumnChoiceProps {
  readonly columns: readonly string[];
  /** Index of a column; undefined: samples are named after their files. */
  readonly chosen: number | undefined;
  readonly onChoose: (column: number | undefined) => void;
}

function NameColumnChoice({ columns, chosen, onChoose }: NameColumnChoiceProps) {
  return (
    <label className="block">
      <span className="mb-1 block font-semibold">Sample names</span>
      <select
        className="input"
        value={chosen ?? ""}
        onChange={({ target: { value } }) => onChoose(value === "" ? undefined : Number(value))}
      >
        <option value="">From file names</option>
        {columns.map((column, index) => (
          <option key={column} value={index}>
            from column {column}
          </option>
        ))}
      </select>
    </label>
  );
}
