import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { ClipboardEvent } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { acceptsNull, startValue } from "../model/cwl-type-facts.ts";
import { pastedEntries } from "../model/pasted-entries.ts";
import { EntryButtons } from "./entry-buttons.tsx";
import type { FieldProps, RenderField } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";
import { SettableFrame } from "./settable-frame.tsx";

export interface ArrayFieldProps extends FieldProps {
  readonly items: CwlTypeRecord;
  readonly renderField: RenderField;
}

const EMPTY_LIST: readonly unknown[] = [];

/** A list of anything but files: entries can be added, moved and removed, and several pasted at once. */
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
      <ol className="space-y-2">
        {entries.map((_, place) => (
          <li key={place} className="flex items-end gap-2" onPaste={(event) => paste(event, place)}>
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
          </li>
        ))}
      </ol>
      <button type="button" className="btn mt-2" onClick={() => setValue([...entries, startValue(items)])}>
        <Icon name="plus" /> Add to {field.label}
      </button>
    </SettableFrame>
  );
}
