import type { DatasetField } from "@weft/shared/records/dataset-record.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { CheckField, InlineField, Input, Select } from "../../ui/field.tsx";
import { EditableRows, FieldSelect } from "./condition-rows.tsx";
import { COLUMN_KINDS, type ColumnDraft } from "./query-model.ts";

interface ColumnRowsProps {
  readonly fields: readonly DatasetField[];
  /** Inputs of the network, which columns fill. */
  readonly inputs: readonly InputRecord[];
  readonly columns: readonly ColumnDraft[];
  readonly onChange: (columns: readonly ColumnDraft[]) => void;
}

/** The parts of each sample, one column per row. */
export function ColumnRows({ fields, inputs, columns, onChange }: ColumnRowsProps) {
  const free = inputs.find(
    ({ id, type_text: type }) => type.includes("[]") && columns.every(({ name }) => name !== id),
  );
  return (
    <EditableRows<ColumnDraft>
      legend="Columns"
      noun="column"
      rows={columns}
      added={{ name: free?.id ?? "", kind: "file", detail: "", optional: false }}
      onChange={onChange}
      renderRow={(column, at, change) => (
        <ColumnRow
          place={at + 1}
          {...{ fields, inputs, column }}
          others={columns.filter((other, place) => place !== at && other.kind === "file").map(({ name }) => name)}
          onChange={change}
        />
      )}
    />
  );
}

interface ColumnRowProps {
  readonly place: number;
  readonly fields: readonly DatasetField[];
  readonly inputs: readonly InputRecord[];
  readonly column: ColumnDraft;
  /** Names of other columns with one file. */
  readonly others: readonly string[];
  readonly onChange: (column: ColumnDraft) => void;
}

function ColumnRow({ place, fields, inputs, column, others, onChange }: ColumnRowProps) {
  return (
    <>
      <Input
        className="w-36"
        aria-label={`Name of column ${place}`}
        placeholder="input"
        proposals={inputs.map(({ id }) => ({ id }))}
        value={column.name}
        onType={(name) => onChange({ ...column, name })}
      />
      <Select
        className="w-auto"
        aria-label={`Kind of column ${place}`}
        value={column.kind}
        options={COLUMN_KINDS}
        onChoose={(kind) => onChange({ ...column, kind, detail: "", companions: "" })}
      />
      <ColumnDetail {...{ place, fields, column, others, onChange }} />
      {column.kind !== "value" && <Companions {...{ place, column, onChange }} />}
      <CheckField
        className="max-md:min-h-11"
        checked={column.optional}
        onCheck={(optional) => onChange({ ...column, optional })}
      >
        optional
      </CheckField>
    </>
  );
}

function Companions({ place, column, onChange }: Pick<ColumnRowProps, "place" | "column" | "onChange">) {
  const isSidecar = column.kind === "sidecar";
  const label = isSidecar ? "Extension" : "Bring along";
  return (
    <InlineField label={label}>
      <Input
        className="w-28"
        aria-label={`${label}, column ${place}`}
        placeholder={isSidecar ? ".json" : ".bval .bvec"}
        value={column.companions ?? ""}
        onType={(companions) => onChange({ ...column, companions })}
      />
    </InlineField>
  );
}

function ColumnDetail({ place, fields, column, others, onChange }: Omit<ColumnRowProps, "inputs">) {
  const set = (detail: string): void => onChange({ ...column, detail });
  if (column.kind === "value")
    return <FieldSelect label={`Field of column ${place}`} fields={fields} value={column.detail} onChange={set} />;
  if (column.kind === "sidecar")
    return (
      <Select
        className="w-auto"
        aria-label={`Column ${place} belongs to`}
        value={column.detail}
        none="Choose a column"
        options={others.map((id) => ({ id, label: id }))}
        onChoose={set}
      />
    );
  return (
    <InlineField label="Only files where">
      <Input
        className="w-36"
        aria-label={`Only files where, column ${place}`}
        placeholder="suffix=bold"
        value={column.detail}
        onType={set}
      />
    </InlineField>
  );
}
