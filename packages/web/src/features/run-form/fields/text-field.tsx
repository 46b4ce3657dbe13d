import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue, useIsSecret } from "./form-context.ts";

/** A text field; multi-line if the value has several lines. Clearing an optional one removes the value. */
export function TextField(field: FieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const isSecret = useIsSecret();
  const text = typeof value === "string" ? value : "";
  const change = (next: string): void => setValue(next === "" && !field.required ? undefined : next);
  return (
    <FieldFrame {...field}>
      {(aria) =>
        // A secret may be a key of several lines, which a password field would join.
        isSecret || text.includes("\n") ? (
          <textarea
            {...aria}
            className={isSecret ? "input max-w-xl [-webkit-text-security:disc]" : "input"}
            rows={isSecret ? 1 : 4}
            autoComplete={isSecret ? "off" : undefined}
            spellCheck={isSecret ? false : undefined}
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
