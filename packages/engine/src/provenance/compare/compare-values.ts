import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { ComparedThing, Tolerance } from "@weft/shared/records/comparison-record.ts";
import { isNumeric } from "@weft/cwl/values/number-distance.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";
import { isNear } from "./compare-numbers.ts";

type Plain = string | number | bigint | boolean | null;

/** Compares the values of two objects, except files, path by path; a value on one side only counts as different. */
export function compareValues(a: CwlObject, b: CwlObject, tolerance: Tolerance): readonly ComparedThing[] {
  const [left, right] = [plainValues(a), plainValues(b)];
  return [...new Set([...left.keys(), ...right.keys()])].map((name) =>
    compareValue(name, { a: left.get(name), b: right.get(name), tolerance }),
  );
}

interface Pair {
  readonly a: Plain | undefined;
  readonly b: Plain | undefined;
  readonly tolerance: Tolerance;
}

function compareValue(name: string, { a, b, tolerance }: Pair): ComparedThing {
  if (a === b) return { name, result: "identical", detail: null };
  const text = (value: Plain | undefined) => (value === undefined ? "nothing" : JSON.stringify(value));
  const detail = `${text(a)} and ${text(b)}`;
  const isWithin = isNumeric(a) && isNumeric(b) && isNear(a, b, tolerance);
  return { name, result: isWithin ? "within_tolerance" : "different", detail };
}

/** All plain values by path, except files, which are compared by content. */
export function plainValues(object: CwlObject): Map<string, Plain> {
  const found = new Map<string, Plain>();
  for (const [name, value] of Object.entries(object)) addPlain(value, name, found);
  return found;
}

function addPlain(value: CwlValue, place: string, found: Map<string, Plain>): void {
  if (isFileOrDirectory(value)) return;
  if (Array.isArray(value)) value.forEach((item: CwlValue, index) => addPlain(item, `${place}[${index}]`, found));
  else if (typeof value === "object" && value !== null)
    for (const [field, inner] of Object.entries(value)) addPlain(inner, `${place}.${field}`, found);
  else found.set(place, value);
}
