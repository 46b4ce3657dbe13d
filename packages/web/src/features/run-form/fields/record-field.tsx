import type { CwlFieldRecord } from "@weft/shared/records/cwl-type.ts";
import { Fragment } from "react";
import { acceptsNull } from "../model/cwl-type-facts.ts";
import type { FieldProps, RenderField } from "./field-frame.tsx";
import { SettableFrame } from "./field-frame.tsx";

interface RecordFieldProps extends FieldProps {
  readonly fields: readonly CwlFieldRecord[];
  readonly renderField: RenderField;
}

const EMPTY_RECORD = {};

/** Records with more fields than this start collapsed. */
const SHOWN_AT_ONCE = 6;

/** The fields of a CWL record. */
export function RecordField({ fields, ...field }: RecordFieldProps) {
  return (
    <SettableFrame start={EMPTY_RECORD} {...field}>
      {fields.length <= SHOWN_AT_ONCE ? (
        <RecordParts fields={fields} {...field} />
      ) : (
        <details>
          <summary className="mb-2 w-fit cursor-pointer text-accent">{fields.length} fields</summary>
          <RecordParts fields={fields} {...field} />
        </details>
      )}
    </SettableFrame>
  );
}

function RecordParts({ fields, renderField, path }: Pick<RecordFieldProps, "fields" | "renderField" | "path">) {
  return (
    <div className="space-y-4 rounded-lg border border-line p-3">
      {fields.map((part) => (
        <Fragment key={part.name}>
          {renderField({
            path: [...path, part.name],
            type: part.type,
            label: part.label ?? part.name,
            doc: part.doc,
            required: !acceptsNull(part.type),
          })}
        </Fragment>
      ))}
    </div>
  );
}
