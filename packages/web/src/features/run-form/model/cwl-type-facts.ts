import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";

/** Whether the type admits "not set". */
export function acceptsNull(type: CwlTypeRecord): boolean {
  return type.kind === "null" || (type.kind === "union" && type.options.some(acceptsNull));
}

/** What may stand here when something does: the type without null, nested unions laid open. */
export function choicesOf(type: CwlTypeRecord): readonly CwlTypeRecord[] {
  if (type.kind === "null") return [];
  return type.kind === "union" ? type.options.flatMap(choicesOf) : [type];
}

/** A short name of a type for people: `File`, `int[]`, `small | large`, the name of a record. */
export function typeLabel(type: CwlTypeRecord): string {
  switch (type.kind) {
    case "array":
      return `${typeLabel(type.items)}[]`;
    case "record":
      return type.label ?? type.name ?? `record of ${type.fields.map(({ name }) => name).join(", ")}`;
    case "enum":
      return type.label ?? type.symbols.join(" | ");
    case "union":
      return type.options.map(typeLabel).join(" | ");
    default:
      return type.kind;
  }
}

/** What a new entry of a list starts as; null is an entry that still has to be filled in. */
export function startValue(type: CwlTypeRecord): unknown {
  switch (type.kind) {
    case "array":
      return [];
    case "record":
      return {};
    case "string":
      return "";
    case "boolean":
      return false;
    case "enum":
      return type.symbols[0] ?? null;
    default:
      return null;
  }
}
