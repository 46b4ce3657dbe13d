import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { acceptsNull, choicesOf } from "../model/cwl-type-facts.ts";
import { AnyField } from "./any-field.tsx";
import { ArrayField } from "./array-field.tsx";
import { BooleanField } from "./boolean-field.tsx";
import { EnumField } from "./enum-field.tsx";
import type { CwlFieldProps } from "./field-frame.tsx";
import { FileField } from "./file-field.tsx";
import { FileListField } from "./file-list-field.tsx";
import { NumberField } from "./number-field.tsx";
import { RecordField } from "./record-field.tsx";
import { TextField } from "./text-field.tsx";
import { UnionField } from "./union-field.tsx";

/** The form element for a value of any CWL type. "Not set" is the absence of a value, whatever the type. */
export function CwlField({ type, ...field }: CwlFieldProps) {
  const choices = choicesOf(type);
  const [only, ...others] = choices;
  if (only === undefined) return null;
  if (others.length > 0)
    return <UnionField renderField={renderField} choices={choices} optional={acceptsNull(type)} {...field} />;
  switch (only.kind) {
    case "boolean":
      return <BooleanField {...field} />;
    case "int":
    case "long":
    case "float":
    case "double":
      return <NumberField whole={only.kind === "int" || only.kind === "long"} {...field} />;
    case "string":
      return <TextField {...field} />;
    case "File":
    case "Directory":
      return <FileField kind={only.kind} {...field} />;
    case "enum":
      return <EnumField symbols={only.symbols} {...field} />;
    case "array":
      return isFile(only.items) ? (
        <FileListField kind={only.items.kind} {...field} />
      ) : (
        <ArrayField renderField={renderField} items={only.items} {...field} />
      );
    case "record":
      return <RecordField renderField={renderField} fields={only.fields} {...field} />;
    case "Any":
      return <AnyField {...field} />;
    case "null":
    case "union":
      return null; // choicesOf leaves neither
  }
}

function renderField(props: CwlFieldProps) {
  return <CwlField {...props} />;
}

function isFile(type: CwlTypeRecord): type is { kind: "File" | "Directory" } {
  return type.kind === "File" || type.kind === "Directory";
}
