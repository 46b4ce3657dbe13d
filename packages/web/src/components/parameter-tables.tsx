import type { InputRecord, OutputRecord } from "@weft/shared/records/process-record.ts";
import { valueText } from "../format/value-text.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { DocText } from "./markdown/markdown-view.tsx";

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
export function ParameterTables({
  inputs,
  outputs,
}: {
  readonly inputs: readonly InputRecord[];
  readonly outputs: readonly OutputRecord[];
}) {
  return (
    <div className="space-y-5">
      <section>
        <h2 className="mb-2">Inputs</h2>
        <InputTable inputs={inputs} />
      </section>
      <section>
        <h2 className="mb-2">Outputs</h2>
        <OutputTable outputs={outputs} />
      </section>
    </div>
  );
}

function InputTable({ inputs }: { readonly inputs: readonly InputRecord[] }) {
  if (inputs.length === 0) return <p className="text-soft">None.</p>;
  return <DataTable caption="Inputs" columns={INPUT_COLUMNS} rows={inputs} keyOf={({ id }) => id} />;
}

function OutputTable({ outputs }: { readonly outputs: readonly OutputRecord[] }) {
  if (outputs.length === 0) return <p className="text-soft">None.</p>;
  return <DataTable caption="Outputs" columns={OUTPUT_COLUMNS} rows={outputs} keyOf={({ id }) => id} />;
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
