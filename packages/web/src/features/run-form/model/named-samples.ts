import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { isFileValue, isObject } from "../../../format/value-text.ts";
import { choicesOf } from "./cwl-type-facts.ts";
import type { InputValues } from "./form-store.ts";

/** Names that a sample sheet gave to the entries of lists. */
export interface NamedSamples {
  readonly names: readonly string[];
  /** The lists as the sheet filled them, by input. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
}

/** Whether the lists still are as the sheet filled them: entries that were moved would get the names of others. */
export function namesStillFit(samples: NamedSamples, values: InputValues): boolean {
  return Object.entries(samples.lists).every(([id, list]) => {
    const now = values[id];
    return now === list || JSON.stringify(now) === JSON.stringify(list);
  });
}

/**
 * The inputs in the form of the API that names samples (`source_data`); undefined where that form cannot say the same,
 * because it reads a single value of a choice of types as another one.
 */
export function toSourceData(
  inputs: readonly InputRecord[],
  values: InputValues,
  samples: NamedSamples,
): CreateRun["source_data"] {
  const known = new Map(inputs.map(({ id, type }) => [id, type]));
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  if (entries.some(([id, value]) => isAmbiguous(known.get(id), value))) return undefined;
  return Object.fromEntries(
    entries.map(([id, value]) => {
      const list = samples.lists[id];
      if (list !== undefined && Array.isArray(value))
        return [id, Object.fromEntries(samples.names.map((name, place) => [name, value[place]]))];
      // An object without a class would be read as named samples: one sample of any name stands for its value.
      return [id, isObject(value) && !isFileValue(value) ? { value } : value];
    }),
  );
}

function isAmbiguous(type: CwlTypeRecord | undefined, value: unknown): boolean {
  const choices = type === undefined ? [] : choicesOf(type);
  if (choices.length < 2) return false;
  const hasFile = choices.some(
    (choice) => JSON.stringify(choice).includes('"File"') || JSON.stringify(choice).includes('"Directory"'),
  );
  return (
    (choices.some(({ kind }) => kind === "array") && !Array.isArray(value)) || (hasFile && typeof value === "string")
  );
}
