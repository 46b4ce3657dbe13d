import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";

/** Whether the type allows null. */
export function acceptsNull(type: CwlTypeRecord): boolean {
  return type.kind === "null" || (type.kind === "union" && type.options.some(acceptsNull));
}

/** The alternatives of a type other than null, with nested unions flattened. */
export function choicesOf(type: CwlTypeRecord): readonly CwlTypeRecord[] {
  if (type.kind === "null") return [];
  return type.kind === "union" ? type.options.flatMap(choicesOf) : [type];
}

/** A short display name for a type: `File`, `int[]`, `small | large`, the name of a record. */
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

/** Initial value of a new list entry; null: the user still has to fill it in. */
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
