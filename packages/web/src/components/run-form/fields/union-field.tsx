import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { useRef, useState } from "react";
import { Radio } from "../../../ui/field.tsx";
import { hasShapeOf } from "../model/check-value.ts";
import { startValue, typeLabel } from "../model/cwl-type-facts.ts";
import { FieldFrame, type FieldProps, type RenderField } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

interface UnionFieldProps extends FieldProps {
  readonly choices: readonly CwlTypeRecord[];
  readonly optional: boolean;
  readonly renderField: RenderField;
}

/** A choice of type, then the field of that type. Each type keeps its value while another is selected. */
export function UnionField({ choices, optional, renderField, ...field }: UnionFieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const [chosen, setChosen] = useState(() => choiceOf(choices, value));
  const kept = useRef(new Map<number, unknown>());
  const current = chosen < 0 ? choiceOf(choices, value) : chosen;
  const choose = (id: string): void => {
    const next = Number(id);
    kept.current.set(current, value);
    setChosen(next);
    setValue(
      next < 0 ? undefined : (kept.current.get(next) ?? startValue(choices[next] ?? { kind: "Any" }) ?? undefined),
    );
  };
  const type = choices[current];
  const unset =
    optional || !field.required
      ? [{ id: "-1", label: field.defaultText === undefined ? "Not set" : `Default (${field.defaultText})` }]
      : [];
  return (
    <FieldFrame group {...field}>
      {(aria) => (
        <>
          <ChoiceList
            name={aria.id}
            choices={[...unset, ...choices.map((choice, place) => ({ id: String(place), label: typeLabel(choice) }))]}
            chosen={String(current)}
            onChoose={choose}
          />
          {type !== undefined && (
            <div key={current} className="mt-2 border-l-2 border-line pl-3">
              {renderField({ path: field.path, type, label: typeLabel(type), required: true, isEntry: true })}
            </div>
          )}
        </>
      )}
    </FieldFrame>
  );
}

/** Index of the first type whose shape the value has; -1 if it is not set. */
function choiceOf(choices: readonly CwlTypeRecord[], value: unknown): number {
  return value === undefined || value === null ? -1 : choices.findIndex((choice) => hasShapeOf(choice, value));
}

interface Choice {
  readonly id: string;
  readonly label: string;
}

interface ChoiceListProps {
  /** Unique on the page. */
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Radio buttons in a row. */
export function ChoiceList({ name, choices, chosen, onChoose }: ChoiceListProps) {
  return (
    <div className="flex flex-wrap gap-1.5">
      {choices.map((choice) => (
        <label
          key={choice.id}
          className="flex min-h-8 cursor-pointer items-center gap-2 rounded-lg border border-line bg-surface px-2.5 hover:border-edge has-checked:border-accent has-checked:bg-accent-soft max-md:min-h-11"
        >
          <Radio name={name} checked={choice.id === chosen} onChange={() => onChoose(choice.id)} />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

/** Marks the default choice. */
export function markDefault(choice: Choice, defaultText: string | undefined): Choice {
  return choice.id === defaultText ? { ...choice, label: `${choice.label} (default)` } : choice;
}
