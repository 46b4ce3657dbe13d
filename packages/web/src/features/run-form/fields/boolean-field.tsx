import { ChoiceList, markDefault } from "./choice-list.tsx";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

/** Yes or no; also "not set" if the value is optional and has no default. */
export function BooleanField(field: FieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const unset = field.required || field.defaultText !== undefined ? [] : [{ id: "", label: "Not set" }];
  const answers = [
    { id: "true", label: "Yes" },
    { id: "false", label: "No" },
  ];
  return (
    <FieldFrame group {...field}>
      {(aria) => (
        <ChoiceList
          name={aria.id}
          choices={[...unset, ...answers.map((answer) => markDefault(answer, field.defaultText))]}
          chosen={typeof value === "boolean" ? String(value) : (field.defaultText ?? "")}
          onChoose={(id) => setValue(id === "" ? undefined : id === "true")}
        />
      )}
    </FieldFrame>
  );
}
