import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { useState } from "react";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

/** A value of any type, written as JSON. */
export function AnyField(field: FieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState("");
  const change = (text: string): void => {
    setDraft(text);
    try {
      setValue(text.trim() === "" ? undefined : parseExactJson(text));
      setFault("");
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <FieldFrame deep {...field}>
      {(aria) => (
        <>
          <textarea
            {...aria}
            className="input code"
            rows={3}
            spellCheck={false}
            value={draft ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
            placeholder='Any JSON: "text", 3, [1, 2], {"key": true}'
            onChange={(event) => change(event.target.value)}
            onBlur={() => fault === "" && setDraft(undefined)}
          />
          {fault !== "" && <p className="text-failed">{fault}</p>}
        </>
      )}
    </FieldFrame>
  );
}
