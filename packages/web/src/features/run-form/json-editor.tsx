import { useSyncExternalStore } from "react";
import { findJsonFault } from "../../format/find-json-fault.ts";
import { isObject } from "../../format/value-text.ts";
import { useFormStore } from "./fields/form-context.ts";
import type { InputValues } from "./model/form-store.ts";

/** Text of the JSON view as it was typed, and the values of the form at that moment. */
export interface JsonDraft {
  readonly text: string;
  readonly values: InputValues;
}

export interface JsonEditorProps {
  readonly draft: JsonDraft | undefined;
  readonly onDraft: (draft: JsonDraft) => void;
}

/** The inputs as one JSON object. What cannot be read stays in the box, with the place of the fault. */
export function JsonEditor({ draft, onDraft }: JsonEditorProps) {
  const store = useFormStore();
  const values = useSyncExternalStore(store.subscribe, store.values);
  const text = draft?.values === values ? draft.text : JSON.stringify(values, null, 2);
  const fault = jsonFault(text);
  const change = (next: string): void => {
    if (jsonFault(next) === undefined) store.replaceValues(JSON.parse(next) as InputValues); // an object: just checked
    onDraft({ text: next, values: store.values() });
  };
  return (
    <div>
      <label className="mb-1 block font-semibold" htmlFor="inputs-json">
        Input object
      </label>
      <textarea
        id="inputs-json"
        className="input code"
        rows={18}
        spellCheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby="inputs-json-fault"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      <p id="inputs-json-fault" aria-live="polite" className="min-h-6 font-medium text-failed">
        {fault}
      </p>
    </div>
  );
}

/** Why a text is no input object, with line and column. */
export function jsonFault(text: string): string | undefined {
  const fault = findJsonFault(text);
  if (fault !== undefined) return `Line ${fault.line}, column ${fault.column}: ${fault.message}`;
  return isObject(JSON.parse(text)) ? undefined : "Line 1, column 1: The inputs are an object: { … }";
}
