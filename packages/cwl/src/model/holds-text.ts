import type { CwlType } from "./cwl-type.ts";

/** Whether values of a type contain strings. File names do not count: Weft stages files under names that it has checked. */
export function holdsText(type: CwlType): boolean {
  switch (type.kind) {
    case "string":
    case "Any":
      return true;
    case "array":
      return holdsText(type.items);
    case "record":
      return type.fields.some((field) => holdsText(field.type));
    case "union":
      return type.options.some(holdsText);
    default:
      return false;
  }
}
