import { stringify } from "yaml";
import type { CwlValue } from "../model/cwl-value.ts";
import type { JsonValue } from "../model/json-value.ts";

/** Fields that readers expect first, in this order. */
const FIRST = [
  ...["cwlVersion", "class", "id", "label", "doc", "$namespaces", "$schemas", "requirements", "hints"],
  ...["baseCommand", "arguments", "stdin", "stdout", "stderr", "expression", "inputs", "outputs", "steps"],
];

/** A document as YAML, with its fields in the usual order. */
export function writeYaml(document: { readonly [field: string]: JsonValue | CwlValue }): string {
  const place = (field: string) => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length);
  const fields = Object.entries(document).sort(([a], [b]) => place(a) - place(b));
  return stringify(Object.fromEntries(fields), { lineWidth: 0, aliasDuplicateObjects: false });
}
