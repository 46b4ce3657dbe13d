import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { choicesOf } from "../model/cwl-type-facts.ts";

/** Inputs that a column can fill: lists whose entries fit into one cell. */
export function columnInputs(inputs: readonly InputRecord[]): readonly InputRecord[] {
  return inputs.filter(({ type }) => entryType(type) !== undefined);
}

const SCALARS: ReadonlySet<string> = new Set([
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "string",
  "enum",
  "File",
  "Directory",
]);

/** Entry type of a list input whose entries fit into one cell. */
export function entryType(type: CwlTypeRecord): CwlTypeRecord | undefined {
  const [list, ...others] = choicesOf(type);
  if (list?.kind !== "array" || others.length > 0) return undefined;
  const entries = choicesOf(list.items);
  return entries.length === 1 && entries.every(({ kind }) => SCALARS.has(kind)) ? list.items : undefined;
}
