import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { ClipboardEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { acceptsNull, startValue } from "../model/cwl-type-facts.ts";
import { entryReader, pastedEntries } from "../model/pasted-entries.ts";
import { EntriesAsText, EntryButtons, EntryList } from "./entry-list.tsx";
import { type FieldProps, type RenderField, SettableFrame } from "./field-frame.tsx";
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
