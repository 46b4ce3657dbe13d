import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { checkInputs, isMissing } from "../model/check-value.ts";
import { type InputValues, pointerKeys } from "../model/form-store.ts";
import { NAMES_POINTER } from "../model/named-samples.ts";
import type { RunTarget } from "../run-target.ts";
import { scatteredInputs } from "../sample-grid/scattered-inputs.ts";

const SHOWN = 4;

/** The inputs of a form, and the steps that make some of them columns of the sample grid. */
export type FormInputs = Pick<RunTarget, "inputs" | "steps">;

/** Names fields by their JSON Pointers as the form shows them: `/images/0/location` is "Images, row 1". */
export function fieldNames({ inputs, steps }: FormInputs, values: InputValues): (pointer: string) => string {
  const columns = new Set(scatteredInputs(steps, inputs, values).map(({ id }) => id));
  return (pointer) => {
    if (pointer.startsWith(`${NAMES_POINTER}/`))
      return `Sample name, row ${Number(pointer.slice(NAMES_POINTER.length + 1)) + 1}`;
    const [id = "", ...parts] = pointerKeys(pointer);
    const label = inputs.find((input) => input.id === id)?.label ?? id;
    const within = parts
      .filter((part) => part !== "" && part !== "location" && part !== "path")
      .map((part, depth) => {
        if (!/^\d+$/.test(part)) return part;
        return `${depth === 0 && columns.has(id) ? "row" : "entry"} ${Number(part) + 1}`;
      });
    return [label, ...within].join(", ");
  };
}

/** Names the first required inputs and values that are missing; undefined if there are none. */
export function missingText(form: FormInputs, values: InputValues): string | undefined {
  const missing = checkInputs(form.inputs, values).filter(isMissing);
  const nameOf = fieldNames(form, values);
  const pointers = missing.map(({ pointer }) => pointer);
  const whole = pointers.filter((pointer) => !pointer.includes("/", 1));
  if (whole.length > 0) return listText("required input", whole.length, whole.slice(0, SHOWN).map(nameOf));
  return pointers.length === 0 ? undefined : listText("value", pointers.length, pointers.slice(0, 1).map(nameOf));
}

function listText(noun: string, count: number, names: readonly string[]): string {
  const more = count === names.length ? "" : ` and ${numberText(count - names.length)} more`;
  return `${countText(count, noun)} ${count === 1 ? "is" : "are"} missing: ${names.join(", ")}${more}`;
}
