import type { TableField, TableFields } from "@weft/shared/records/table-record.ts";
import { useState } from "react";
import { countText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField } from "../../ui/field.tsx";
import { SidePanel } from "../../ui/modal.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { valueText } from "./arrange-table.ts";
import { usualFields } from "./field-choice.ts";
import { Toolbar } from "../../ui/toolbar.tsx";

interface FieldPickerProps {
  readonly found: TableFields;
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

const SOURCES = { input: "Input", dataset: "Dataset", output: "Output", review: "Review" } as const;

/** All fields by input and output, with check boxes. */
export function FieldPicker({ found, chosen, onChoose, onClose }: FieldPickerProps) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = found.fields.filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(wanted));
  const groups = Map.groupBy(shown, groupOf);
  const selected = new Set(chosen);
  const toggle = (ids: readonly string[], isOn: boolean): void => {
    const all = new Set(isOn ? [...chosen, ...ids] : chosen.filter((id) => !ids.includes(id)));
    onChoose(found.fields.map(({ id }) => id).filter((id) => all.has(id)));
  };
  return (
    <SidePanel title="Fields of the table" onClose={onClose}>
      <div className="space-y-4">
        <Toolbar status={`${chosen.length} of ${countText(found.fields.length, "field")}`}>
          <SearchField className="w-full md:max-w-xs" label="Find a field" value={text} onChange={setText} />
          <Button small onClick={() => onChoose(usualFields(found.fields))}>
            Reset
          </Button>
        </Toolbar>
        {[...groups].map(([name, fields]) => (
          <FieldGroup
            key={name}
            name={name}
            fields={fields}
            examined={found.examined}
            selected={selected}
            onToggle={toggle}
          />
        ))}
        {shown.length === 0 && <p className="text-soft">No field matches.</p>}
        {found.truncated && <p className="text-canceled">There are more fields than can be listed.</p>}
        <UnreadFiles found={found} />
      </div>
    </SidePanel>
  );
}

function groupOf({ source, port }: TableField): string {
  return source === "review" || source === "dataset" ? SOURCES[source] : `${SOURCES[source]} ${port}`;
}

interface FieldGroupProps {
  readonly name: string;
  readonly fields: readonly TableField[];
  readonly examined: number;
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (ids: readonly string[], isOn: boolean) => void;
}

function FieldGroup({ name, fields, examined, selected, onToggle }: FieldGroupProps) {
  const isAll = fields.every(({ id }) => selected.has(id));
  return (
    <fieldset className="rounded-lg border border-line p-3">
      <legend className="px-1 font-semibold wrap-anywhere">{name}</legend>
      {fields.length > 1 && (
        <Button
          look="quiet"
          small
          className="mb-1"
          onClick={() =>
            onToggle(
              fields.map(({ id }) => id),
              !isAll,
            )
          }
        >
          {isAll ? "Deselect all" : "Select all"}
        </Button>
      )}
      {fields.map((field) => (
        <CheckField
          key={field.id}
          className="min-h-8 cursor-pointer max-md:min-h-11"
          checked={selected.has(field.id)}
          onCheck={(isOn) => onToggle([field.id], isOn)}
        >
          <span className="min-w-0 flex-1 wrap-anywhere">{field.label}</span>
          <span className="max-w-40 truncate text-soft tabular-nums">{exampleText(field, examined)}</span>
        </CheckField>
      ))}
    </fieldset>
  );
}

function exampleText({ filled, example }: TableField, examined: number): string {
  if (filled === 0) return "no values";
  return filled < examined ? `${valueText(example)} (${filled} of ${examined})` : valueText(example);
}

function UnreadFiles({ found: { unread, unread_total } }: Pick<FieldPickerProps, "found">) {
  if (unread_total === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer text-canceled">
        Weft could not read measures from {countText(unread_total, "file")}
      </summary>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        {unread.map(({ port, name, sample_id, why }) => (
          <li key={`${port} ${sample_id ?? ""} ${name}`} className="wrap-anywhere">
            {name}: {why}
          </li>
        ))}
      </ul>
    </details>
  );
}
