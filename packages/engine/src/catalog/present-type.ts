import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";

/** A type in the form of the API, with everything that forms need but without bindings. */
export function presentType(type: CwlType): CwlTypeRecord {
  switch (type.kind) {
    case "array":
      return { kind: "array", items: presentType(type.items), ...texts(type) };
    case "record":
      return {
        kind: "record",
        ...named(type),
        ...texts(type),
        fields: type.fields.map((field) => ({ name: field.name, type: presentType(field.type), ...texts(field) })),
      };
    case "enum":
      return { kind: "enum", ...named(type), ...texts(type), symbols: [...type.symbols] };
    case "union":
      return { kind: "union", options: type.options.map(presentType) };
    default:
      return { kind: type.kind };
  }
}

export function texts(source: { readonly label?: string; readonly doc?: string }): { label?: string; doc?: string } {
  return {
    ...(source.label === undefined ? {} : { label: source.label }),
    ...(source.doc === undefined ? {} : { doc: source.doc }),
  };
}

function named(type: { readonly name?: string }): { name?: string } {
  return type.name === undefined ? {} : { name: type.name };
}
