import type { CwlFieldRecord } from "@weft/shared/records/cwl-type.ts";
import { Fragment } from "react";
import { acceptsNull } from "../model/cwl-type-facts.ts";
import { FieldFrame, type FieldProps, type RenderField } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";
import { SetSwitch } from "./set-switch.tsx";

export interface RecordFieldProps extends FieldProps {
  readonly fields: readonly CwlFieldRecord[];
  readonly renderField: RenderField;
}

/** Named values that belong together. */
export function RecordField({ fields, renderField, ...field }: RecordFieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const isSet = field.required || (value !== undefined && value !== null);
  return (
    <FieldFrame group {...field}>
      {() => (
        <>
          {!field.required && (
            <SetSwitch
              label={field.label}
              isSet={isSet}
              defaultText={field.defaultText}
              onChange={(on) => setValue(on ? {} : undefined)}
            />
          )}
          {isSet && (
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
          )}
        </>
      )}
    </FieldFrame>
  );
}
