import type { InputRecord, OutputRecord, Tool } from "@weft/shared/records/process-record.ts";
import { valueText } from "../../format/value-text.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { DocText } from "../markdown/markdown-view.tsx";

const DESCRIPTION: Column<Pick<InputRecord, "doc">> = {
  label: "Description",
  className: "text-soft",
  render: ({ doc }) => doc !== undefined && <DocText text={doc} />,
};

const INPUT_COLUMNS: readonly Column<InputRecord>[] = [
  {
    label: "Input",
    bare: true,
    render: ({ id, label, required }) => (
      <>
        <ParameterName id={id} label={label} />
        {required && <span className="text-small text-failed">required</span>}
      </>
    ),
  },
  { label: "Type", render: (input) => <InputType input={input} /> },
  {
    label: "Default",
    className: "code",
    render: ({ default: value }) => (value === undefined ? "" : valueText(value)),
  },
  DESCRIPTION,
];

const OUTPUT_COLUMNS: readonly Column<OutputRecord>[] = [
  { label: "Output", bare: true, render: (output) => <ParameterName {...output} /> },
  { label: "Type", render: ({ type_text: text, format }) => <TypeText text={text} formats={format} /> },
  DESCRIPTION,
];

const NONE = <p className="text-soft">None.</p>;

/** A parameter is named by its label, with the id that documents and requests use below. */
export function ParameterName({ id, label }: Pick<InputRecord, "id" | "label">) {
  return (
    <div className="wrap-anywhere">
      <span className="font-medium">{label ?? id}</span>
      {label !== undefined && <div className="code text-soft">{id}</div>}
    </div>
  );
}

/** The inputs and outputs of a network or tool. */
export function ParameterTables({ inputs, outputs }: Pick<Tool, "inputs" | "outputs">) {
  return (
    <div className="space-y-5">
      <section>
        <h2 className="mb-2">Inputs</h2>
        <DataTable caption="Inputs" columns={INPUT_COLUMNS} rows={inputs} keyOf={({ id }) => id} empty={NONE} />
      </section>
      <section>
        <h2 className="mb-2">Outputs</h2>
        <DataTable caption="Outputs" columns={OUTPUT_COLUMNS} rows={outputs} keyOf={({ id }) => id} empty={NONE} />
      </section>
    </div>
  );
}

function InputType({ input }: { readonly input: InputRecord }) {
  return (
    <>
      <TypeText text={input.type_text} formats={input.format} />
      {input.secondary_files?.map(({ pattern, required }) => (
        <div key={pattern} className="code text-soft">
          with {pattern}
          {required ? "" : " (optional)"}
        </div>
      ))}
    </>
  );
}

function TypeText({ text, formats }: { readonly text: string; readonly formats: readonly string[] | undefined }) {
  return (
    <span>
      <span className="code">{text}</span>
      {formats?.map((format) => (
        <span key={format} className="code block text-soft">
          {format.slice(format.search(/[^/#]*$/))}
        </span>
      ))}
    </span>
  );
}
