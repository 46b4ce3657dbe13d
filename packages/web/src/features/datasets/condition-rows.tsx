import { CONDITION_OPS } from "@weft/shared/records/condition-ops.ts";
import type { DatasetField } from "@weft/shared/records/dataset-record.ts";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Input, Select } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type ConditionDraft, OP_WORDS, takesValue } from "./query-model.ts";

const OPS = CONDITION_OPS.map((op) => ({ id: op, label: OP_WORDS[op] }));

interface ConditionRowsProps {
  readonly fields: readonly DatasetField[];
  readonly where: readonly ConditionDraft[];
  readonly onChange: (where: readonly ConditionDraft[]) => void;
}

/** Conditions that must all be met, one per row. */
export function ConditionRows({ fields, where, onChange }: ConditionRowsProps) {
  return (
    <EditableRows
      legend="Conditions"
      noun="condition"
      rows={where}
      added={{ field: fields[0]?.name ?? "path", op: "=", value: "" }}
      onChange={onChange}
      renderRow={(condition, at, change) => (
        <ConditionRow place={at + 1} fields={fields} condition={condition} onChange={change} />
      )}
    />
  );
}

interface EditableRowsProps<Row> {
  readonly legend: string;
  readonly noun: string;
  readonly rows: readonly Row[];
  /** The row that the button adds. */
  readonly added: Row;
  readonly onChange: (rows: readonly Row[]) => void;
  readonly renderRow: (row: Row, at: number, change: (row: Row) => void) => ReactNode;
}

/** Rows of fields; each can be removed, and another one added. */
export function EditableRows<Row>({ legend, noun, rows, added, onChange, renderRow }: EditableRowsProps<Row>) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{legend}</legend>
      <ul className="space-y-2">
        {rows.map((row, at) => (
          // Rows have no identity other than their position.
          // eslint-disable-next-line react/no-array-index-key
          <li key={at} className="flex flex-wrap items-center gap-1.5">
            {renderRow(row, at, (next) => onChange(rows.with(at, next)))}
            <Button look="quiet" small onClick={() => onChange(rows.toSpliced(at, 1))}>
              <Icon name="close" className="size-3.5" />
              <span className="sr-only">
                Remove {noun} {at + 1}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      <Button small className="mt-2" onClick={() => onChange([...rows, added])}>
        <Icon name="plus" className="size-3.5" /> Add {noun}
      </Button>
    </fieldset>
  );
}

interface ConditionRowProps {
  readonly place: number;
  readonly fields: readonly DatasetField[];
  readonly condition: ConditionDraft;
  readonly onChange: (condition: ConditionDraft) => void;
}

function ConditionRow({ place, fields, condition, onChange }: ConditionRowProps) {
  return (
    <>
      <FieldSelect
        label={`Field of condition ${place}`}
        fields={fields}
        value={condition.field}
        onChange={(field) => onChange({ ...condition, field })}
      />
      <Select
        className="w-auto"
        aria-label={`Comparison of condition ${place}`}
        value={condition.op}
        options={OPS}
        onChoose={(op) => onChange({ ...condition, op })}
      />
      {takesValue(condition.op) && <ValueInput {...{ place, fields, condition, onChange }} />}
    </>
  );
}

/** Proposes the most frequent values. */
function ValueInput({ place, fields, condition, onChange }: ConditionRowProps) {
  const values = fields.find(({ name }) => name === condition.field)?.values ?? [];
  return (
    <Input
      className="w-36"
      aria-label={`Value of condition ${place}`}
      proposals={values.map(({ value }) => ({ id: value }))}
      value={condition.value}
      placeholder="value, or a|b"
      onType={(value) => onChange({ ...condition, value })}
    />
  );
}

interface FieldSelectProps {
  readonly label: string;
  readonly fields: readonly DatasetField[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** A field of the dataset; also shows one that the dataset no longer has. */
export function FieldSelect({ label, fields, value, onChange }: FieldSelectProps) {
  const isKnown = value === "path" || fields.some(({ name }) => name === value);
  return (
    <Select
      className="w-auto max-w-48"
      aria-label={label}
      value={value}
      none={value === "" ? "Choose a field" : undefined}
      options={[
        ...(isKnown || value === "" ? [] : [{ id: value, label: value }]),
        ...fields.map(({ name, label: shown }) => ({ id: name, label: shown === name ? name : `${shown} (${name})` })),
        { id: "path", label: "Path" },
      ]}
      onChoose={onChange}
    />
  );
}
