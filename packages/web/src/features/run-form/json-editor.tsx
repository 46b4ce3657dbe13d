import { useState } from "react";
import { isObject } from "../../format/value-text.ts";
import { useFormStore } from "./fields/form-context.ts";

/** The inputs as one JSON object. What cannot be read stays in the box, with the place of the fault. */
export function JsonEditor() {
  const store = useFormStore();
  const [text, setText] = useState(() => JSON.stringify(store.values(), null, 2));
  const [fault, setFault] = useState("");
  const change = (next: string): void => {
    setText(next);
    try {
      const value: unknown = JSON.parse(next);
      if (isObject(value)) store.replaceValues(value);
      setFault(isObject(value) ? "" : "The inputs are an object: { … }");
    } catch (error) {
      setFault(faultText(next, error));
    }
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
        aria-invalid={fault !== ""}
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

/** Browsers name the place of a fault by its offset or by line and column; people get the latter. */
function faultText(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const offset = /position (\d+)/.exec(message)?.[1];
  if (offset === undefined || message.includes("line")) return message;
  const before = text.slice(0, Number(offset)).split("\n");
  return `${message} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}
