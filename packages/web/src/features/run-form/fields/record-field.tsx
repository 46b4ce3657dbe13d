import type { CwlFieldRecord } from "@weft/shared/records/cwl-type.ts";
import { Fragment } from "react";
import { acceptsNull } from "../model/cwl-type-facts.ts";
import type { FieldProps, RenderField } from "./field-frame.tsx";
import { SettableFrame } from "./settable-frame.tsx";

export interface RecordFieldProps extends FieldProps {
  readonly fields: readonly CwlFieldRecord[];
  readonly renderField: RenderField;
}

const EMPTY_RECORD = {};

/** Named values that belong together. */
export function RecordField({ fields, renderField, ...field }: RecordFieldProps) {
  return (
    <SettableFrame start={EMPTY_RECORD} {...field}>
      <div className="space-y-4 rounded-lg border border-line p-3">
        {fields.map((part) => (
          <Fragment key={part.name}>
            {renderField({
              path: [...field.path, part.name],
              type: part.type,
              label: part.label ?? part.name,
              doc: part.doc,
              required: !acceptsNull(part.type),
            })}
          </Fragment>
        ))}
      </div>
    </SettableFrame>
  );
}
