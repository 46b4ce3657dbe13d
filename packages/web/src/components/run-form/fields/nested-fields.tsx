import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { useRef, useState, type ClipboardEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Radio } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { entryReader, pastedEntries, hasShapeOf } from "../model/check-value.ts";
import { acceptsNull, startValue, typeLabel } from "../model/cwl-type-facts.ts";
import { EntriesAsText, EntryButtons, EntryList } from "./entry-list.tsx";
import { FieldFrame, SettableFrame, type FieldProps, type RenderField } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

interface ArrayFieldProps extends FieldProps {
  readonly items: CwlTypeRecord;
  readonly renderField: RenderField;
}

const EMPTY_LIST: readonly unknown[] = [];

/** A list whose items are not files: entries can be added, moved and removed, and several pasted at once. */
export function ArrayField({ items, renderField, ...field }: ArrayFieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const entries: readonly unknown[] = Array.isArray(value) ? value : EMPTY_LIST;
  const paste = (event: ClipboardEvent, place: number): void => {
    const pasted = pastedEntries(items, event.clipboardData.getData("text/plain"));
    if (pasted === undefined) return;
    event.preventDefault();
    setValue(entries.toSpliced(place, 1, ...pasted));
  };
  return (
    <SettableFrame start={EMPTY_LIST} {...field}>
      <EntryList
        path={field.path}
        label={field.label}
        count={entries.length}
        estimatedPx={68}
        renderEntry={(place) => (
          <div className="flex items-end gap-2" onPaste={(event) => paste(event, place)}>
            <div className="min-w-0 flex-1">
              {renderField({
                path: [...field.path, place],
                type: items,
                label: `${field.label} ${place + 1}`,
                required: !acceptsNull(items),
                isEntry: true,
              })}
            </div>
            <EntryButtons name={`entry ${place + 1}`} place={place} entries={entries} onChange={setValue} />
          </div>
        )}
      />
      <ListActions label={field.label} items={items} entries={entries} onChange={setValue} />
    </SettableFrame>
  );
}

interface ListActionsProps {
  readonly label: string;
  readonly items: CwlTypeRecord;
  readonly entries: readonly unknown[];
  readonly onChange: (entries: readonly unknown[]) => void;
}

function ListActions({ label, items, entries, onChange }: ListActionsProps) {
  const read = entryReader(items);
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button onClick={() => onChange([...entries, startValue(items)])}>
        <Icon name="plus" /> Add to {label}
      </Button>
      {read !== undefined && (
        <EntriesAsText
          label={label}
          text={() => entries.map((entry) => String(entry ?? "")).join("\n")}
          onLines={(lines) => onChange(lines.map(read))}
        />
      )}
    </div>
  );
}

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
