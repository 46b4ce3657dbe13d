import type { CwlType, RecordType } from "../model/cwl-type.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { isArray, isRecord } from "../values/value-kind.ts";
import { fittingOption } from "./check-type.ts";

/**
 * Makes every `float` and `double` in a value a number, even one that was written as a large whole number. Returns the
 * value itself if nothing changes.
 */
export function settleDoubles(type: CwlType, value: CwlValue): CwlValue {
  if (typeof value === "bigint") return isDouble(type) ? Number(value) : value;
  if (typeof value !== "object" || value === null || !holdsDouble(type)) return value;
  if (type.kind === "union") return settleOption(type.options, value);
  if (type.kind === "array" && isArray(value)) return settleItems(type.items, value);
  return type.kind === "record" && isRecord(value) ? settleFields(type, value) : value;
}

/** True if a whole number of this type becomes a double: an option of a union that keeps all digits takes precedence. */
function isDouble(type: CwlType): boolean {
  if (type.kind === "union") return type.options.some(isDouble) && !type.options.some(keepsDigits);
  return type.kind === "float" || type.kind === "double";
}

function keepsDigits({ kind }: CwlType): boolean {
  return kind === "long" || kind === "Any";
}

function holdsDouble(type: CwlType): boolean {
  if (type.kind === "union") return type.options.some(holdsDouble);
  if (type.kind === "record") return type.fields.some((field) => holdsDouble(field.type));
  return isDouble(type.kind === "array" ? type.items : type) || (type.kind === "array" && holdsDouble(type.items));
}

/** Most unions, such as `double[]?`, have only one option that matters. */
function settleOption(options: readonly CwlType[], value: CwlValue): CwlValue {
  const structured = options.filter(({ kind }) => kind === "array" || kind === "record");
  const option = structured.length === 1 ? structured[0] : fittingOption(options, value);
  return option === undefined ? value : settleDoubles(option, value);
}

function settleItems(type: CwlType, items: readonly CwlValue[]): CwlValue {
  let copy: CwlValue[] | undefined;
  for (const [index, item] of items.entries()) {
    if (typeof item === "number") continue;
    const settled = settleDoubles(type, item);
    if (settled === item) continue;
    copy ??= [...items];
    copy[index] = settled;
  }
  return copy ?? items;
}

function settleFields({ fields }: RecordType, value: CwlObject): CwlValue {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  const settled = Object.entries(value).map(([name, field]): [string, CwlValue] => {
    const type = types.get(name);
    return [name, type === undefined ? field : settleDoubles(type, field)];
  });
  return settled.some(([name, field]) => field !== value[name]) ? Object.fromEntries(settled) : value;
}
