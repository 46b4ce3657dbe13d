import { useState } from "react";
import { parseNumber } from "../model/parse-number.ts";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

/** A number as text, so that `1e-3` can be typed. Invalid text stays as typed and is refused on submission. */
export function NumberField({ whole, ...field }: FieldProps & { readonly whole: boolean }) {
  const [value, setValue] = useFieldValue(field.path);
  const [typed, setTyped] = useState("");
  const shown = value === undefined || value === null ? "" : parseNumber(typed) === value ? typed : String(value);
  const change = (text: string): void => {
    setTyped(text);
    setValue(text.trim() === "" ? undefined : parseNumber(text));
  };
  return (
    <FieldFrame {...field}>
      {(aria) => (
        <input
          {...aria}
          className="input max-w-60 tabular-nums"
          inputMode={whole ? "numeric" : "decimal"}
          autoComplete="off"
          value={shown}
          placeholder={field.defaultText ?? ""}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}
