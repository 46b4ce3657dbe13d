import { CONDITION_OPS } from "@weft/shared/records/condition-ops.ts";
import type { DatasetField } from "@weft/shared/records/dataset-record.ts";
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
  const change = (at: number, next: ConditionDraft): void => onChange(where.with(at, next));
  const add = (): void => onChange([...where, { field: fields[0]?.name ?? "path", op: "=", value: "" }]);
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Conditions</legend>
      <ul className="space-y-2">
        {where.map((condition, at) => (
          // Rows have no identity other than their position.
          // eslint-disable-next-line react/no-array-index-key
          <li key={at} className="flex flex-wrap items-center gap-1.5">
            <ConditionRow place={at + 1} fields={fields} condition={condition} onChange={(next) => change(at, next)} />
            <Button look="quiet" small onClick={() => onChange(where.toSpliced(at, 1))}>
              <Icon name="close" className="size-3.5" />
              <span className="sr-only">Remove condition {at + 1}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Button small className="mt-2" onClick={add}>
        <Icon name="plus" className="size-3.5" /> Add condition
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
      onChange={(event) => onChange({ ...condition, value: event.target.value })}
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
