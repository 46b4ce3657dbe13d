import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { useMemo, useState } from "react";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Select, TextArea } from "../../../ui/field.tsx";
import { FilePicker } from "../../../ui/file-picker.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useFormStore } from "../fields/form-context.ts";
import {
  type CellProblem,
  type SampleSheet,
  type SheetMapping,
  filesByName,
  guessMapping,
  mapSheet,
  readSheet,
} from "./map-sheet.ts";
import { type SampleRows, withColumns } from "./sample-rows.ts";
import { columnInputs } from "./scattered-inputs.ts";
import { Notice } from "../../../ui/notice.tsx";

interface ImportSheetDialogProps {
  /** The columns of the grid. */
  readonly inputs: readonly InputRecord[];
  readonly onRows: (change: (rows: SampleRows) => SampleRows) => void;
  readonly onClose: () => void;
}

const SHOWN_ROWS = 20;
const SHOWN_PROBLEMS = 20;

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
        <Button look="primary" disabled={count === 0} onClick={use}>
          Import {countText(sheet.rows.length, "sample")}
        </Button>
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
          <Select
            value={mapping.inputs[place] ?? ""}
            none="Ignore this column"
            options={columnInputs(inputs).map(({ id, type_text: type }) => ({ id, label: `${id}: ${type}` }))}
            onChoose={(id) => choose(place, id)}
          />
        </label>
      ))}
      <Field label="Sample names">
        <Select<number | "">
          value={mapping.nameColumn ?? ""}
          none="From file names"
          options={sheet.columns.map((column, id) => ({ id, label: `from column ${column}` }))}
          onChoose={(id) => onChange({ ...mapping, nameColumn: id === "" ? undefined : id })}
        />
      </Field>
    </div>
  );
}

interface SheetTextProps {
  readonly text: string;
  readonly inputs: readonly InputRecord[];
  readonly onChange: (text: string) => void;
}

/** The field for the text of a table, which can be pasted, typed or read from a file. */
function SheetText({ text, inputs, onChange }: SheetTextProps) {
  return (
    <>
      <p className="mb-2 text-soft">
        CSV or TSV with a header row and one row per sample. Columns named{" "}
        {columnInputs(inputs)
          .map(({ id }) => id)
          .join(", ")}{" "}
        are matched to inputs; <code className="code">sample</code> sets sample names. Give files as a path or URL.
      </p>
      <label className="mb-1 block font-semibold" htmlFor="sheet-text">
        Table
      </label>
      <TextArea code id="sheet-text" rows={6} value={text} placeholder="Paste from a spreadsheet" onType={onChange} />
      <FilePicker
        label="Sheet file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        icon="upload"
        text="Choose a file…"
        className="mt-1"
        onFiles={([file]) => void file.text().then(onChange)}
      />
    </>
  );
}

interface SheetPreviewProps {
  readonly sheet: SampleSheet;
  readonly problems: readonly CellProblem[];
}

/** The first rows of the sheet with invalid cells marked, and a list of problems by row and column. */
function SheetPreview({ sheet, problems }: SheetPreviewProps) {
  return (
    <>
      {problems.length > 0 && <ProblemList problems={problems} />}
      <div tabIndex={0} role="region" aria-label="Sheet preview" className="card max-h-72 overflow-auto">
        <SheetTable sheet={sheet} problems={problems} />
      </div>
      <p className="text-soft">
        {countText(sheet.rows.length, "sample")}
        {sheet.rows.length > SHOWN_ROWS ? ` (first ${SHOWN_ROWS} shown)` : ""}
      </p>
    </>
  );
}

function SheetTable({ sheet, problems }: SheetPreviewProps) {
  const wrong = new Set(problems.map(({ row, column }) => `${row} ${column}`));
  return (
    <table className="table">
      <caption className="sr-only">The first rows of the sheet</caption>
      <thead>
        <tr>
          <th scope="col">Row</th>
          {sheet.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.rows.slice(0, SHOWN_ROWS).map(({ number, cells }) => (
          <tr key={number}>
            <td className="text-soft">{number}</td>
            {sheet.columns.map((column, place) => (
              <td
                key={column}
                className={`whitespace-nowrap ${wrong.has(`${number} ${column}`) ? "bg-failed-soft text-failed underline decoration-wavy" : ""}`}
              >
                {cells[place]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ProblemList({ problems }: { readonly problems: readonly CellProblem[] }) {
  return (
    <Notice
      role="alert"
      tone="failed"
      title={problems.length === 1 ? "1 cell needs fixing" : `${numberText(problems.length)} cells need fixing`}
    >
      <ul className="list-disc pl-5">
        {problems.slice(0, SHOWN_PROBLEMS).map(({ row, column, message }) => (
          <li key={`${row} ${column} ${message}`}>
            Row {row}, column {column}: {message}
          </li>
        ))}
      </ul>
      {problems.length > SHOWN_PROBLEMS && <p>and {problems.length - SHOWN_PROBLEMS} more</p>}
    </Notice>
  );
}
