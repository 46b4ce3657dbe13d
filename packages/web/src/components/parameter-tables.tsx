import type { InputRecord, OutputRecord } from "@weft/shared/records/process-record.ts";
import { valueText } from "../format/value-text.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { DocText } from "./markdown/markdown-view.tsx";

const INPUT_COLUMNS: readonly Column[] = [
  { label: "Input" },
  { label: "Type" },
  { label: "Default" },
  { label: "Description" },
];

const OUTPUT_COLUMNS: readonly Column[] = [{ label: "Output" }, { label: "Type" }, { label: "Description" }];

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
  return (
    <DataTable caption="Inputs" columns={INPUT_COLUMNS}>
      {inputs.map((input) => (
        <tr key={input.id}>
          <td>
            <span className="font-medium">{input.id}</span>
            {input.required && <span className="ml-2 text-small text-failed">required</span>}
          </td>
          <td data-label="Type">
            <TypeText text={input.type_text} formats={input.format} />
            {input.secondary_files?.map(({ pattern, required }) => (
              <div key={pattern} className="code text-soft">
                with {pattern}
                {required ? "" : " (optional)"}
              </div>
            ))}
          </td>
          <td data-label="Default" className="code">
            {input.default === undefined ? "" : valueText(input.default)}
          </td>
          <Description label={input.label} doc={input.doc} />
        </tr>
      ))}
    </DataTable>
  );
}

function OutputTable({ outputs }: { readonly outputs: readonly OutputRecord[] }) {
  if (outputs.length === 0) return <p className="text-soft">None.</p>;
  return (
    <DataTable caption="Outputs" columns={OUTPUT_COLUMNS}>
      {outputs.map((output) => (
        <tr key={output.id}>
          <td className="font-medium">{output.id}</td>
          <td data-label="Type">
            <TypeText text={output.type_text} formats={output.format} />
          </td>
          <Description label={output.label} doc={output.doc} />
        </tr>
      ))}
    </DataTable>
  );
}

function Description({ label, doc }: { readonly label: string | undefined; readonly doc: string | undefined }) {
  return (
    <td data-label="Description" className="text-soft">
      <div>
        {label !== undefined && <p className="text-ink">{label}</p>}
        {doc !== undefined && <DocText text={doc} />}
      </div>
    </td>
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
