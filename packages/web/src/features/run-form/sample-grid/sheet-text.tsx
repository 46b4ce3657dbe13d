import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { FilePicker } from "../../../ui/file-picker.tsx";
import { columnInputs } from "./column-inputs.ts";

export interface SheetTextProps {
  readonly text: string;
  readonly inputs: readonly InputRecord[];
  readonly onChange: (text: string) => void;
}

/** Where the table comes from: pasted, typed or read from a file. */
export function SheetText({ text, inputs, onChange }: SheetTextProps) {
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
      <textarea
        id="sheet-text"
        className="input code"
        rows={6}
        spellCheck={false}
        value={text}
        placeholder="Paste from a spreadsheet"
        onChange={(event) => onChange(event.target.value)}
      />
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
