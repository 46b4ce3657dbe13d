import { CwlFailure } from "../cwl-failure.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { isArray } from "../values/value-kind.ts";

/**
 * The variables of a script, whose numbers are doubles: a `bigint` becomes a number if the conversion is exact. Otherwise
 * throws EXPRESSION, because the script would silently calculate with another number. Returns the variables themselves if
 * they contain no `bigint`.
 */
export function scriptNumbers(variables: CwlObject): CwlObject {
  return convertFields(variables, undefined);
}

/** A place in the variables, turned into text only for a failure. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

function convert(value: CwlValue, at: Place): CwlValue {
  if (typeof value === "bigint") return exactNumber(value, at);
  if (typeof value !== "object" || value === null) return value;
  // A File or Directory has the fields of an object.
  return isArray(value) ? convertItems(value, at) : convertFields(value as CwlObject, at);
}

function convertItems(items: readonly CwlValue[], parent: Place): readonly CwlValue[] {
  let copy: CwlValue[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    if (typeof item === "number" || typeof item === "string") continue;
    const converted = convert(item, { parent, key: index });
    if (converted === item) continue;
    copy ??= [...items];
    copy[index] = converted;
  }
  return copy ?? items;
}

function convertFields(fields: CwlObject, parent: Place | undefined): CwlObject {
  let copy: { [name: string]: CwlValue } | undefined;
  for (const [name, field] of Object.entries(fields)) {
    const converted = convert(field, { parent, key: name });
    if (converted === field) continue;
    copy ??= Object.assign(Object.create(null) as object, fields);
    copy[name] = converted;
  }
  return copy ?? fields;
}

function exactNumber(value: bigint, at: Place): number {
  const number = Number(value);
  if (BigInt(number) === value) return number;
  const name = placeText(at);
  throw new CwlFailure("EXPRESSION", `\`${name}\` is ${value}, which JavaScript cannot represent exactly`, {
    hint: `expressions can only pass it on with a plain reference: \`$(${name})\`; or declare it as a \`string\`, or as a \`double\` if its last digits do not matter`,
  });
}

function placeText({ parent, key }: Place): string {
  const own = typeof key === "number" ? `[${key}]` : /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  return parent === undefined ? String(key) : `${placeText(parent)}${own}`;
}
