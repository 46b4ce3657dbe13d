import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

/** A text; several lines where the value has some. Emptying an optional one takes the value away. */
export function TextField(field: FieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const text = typeof value === "string" ? value : "";
  const change = (next: string): void => setValue(next === "" && !field.required ? undefined : next);
  return (
    <FieldFrame {...field}>
      {(aria) =>
        text.includes("\n") ? (
          <textarea
            {...aria}
            className="input"
            rows={4}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <input
            {...aria}
            className="input max-w-xl"
            value={text}
            placeholder={field.defaultText ?? ""}
            onChange={(event) => change(event.target.value)}
          />
        )
      }
    </FieldFrame>
  );
}
