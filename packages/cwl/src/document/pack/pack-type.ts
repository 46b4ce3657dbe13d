import type { CwlType, RecordField } from "../../model/cwl-type.ts";
import type { JsonValue } from "../../model/json-value.ts";
import { ifTrue, jsonObject, unlessEmpty } from "./json-object.ts";
import { packContents, packFormat, packInputBinding, packOutputBinding, packSecondaryFiles } from "./pack-binding.ts";
import type { PackScope } from "./pack-scope.ts";

/** A type without shorthands and names: `File?` becomes `["null", "File"]`. */
export function packType(type: CwlType, scope: PackScope): JsonValue {
  switch (type.kind) {
    case "union":
      return type.options.map((option) => packType(option, scope));
    case "array":
      return jsonObject({ ...packSchema(type), items: packType(type.items, scope) });
    case "record":
      return jsonObject({
        ...packSchema(type),
        fields: type.fields.map((field) => packField(field, scope)),
      });
    case "enum":
      return jsonObject({ ...packSchema(type), symbols: type.symbols });
    case "null":
    case "boolean":
    case "int":
    case "long":
    case "float":
    case "double":
    case "string":
    case "File":
    case "Directory":
    case "Any":
      return type.kind;
  }
}

function packSchema({ kind, name, label, doc, inputBinding }: Extract<CwlType, { kind: "array" | "record" | "enum" }>) {
  const binding = inputBinding === undefined ? undefined : packInputBinding(inputBinding);
  return { type: kind, name, label, doc, inputBinding: binding };
}

function packField(field: RecordField, scope: PackScope): JsonValue {
  const { name, label, doc, type, streamable, loadListing } = field;
  return jsonObject({
    name,
    label,
    doc,
    type: packType(type, scope),
    streamable: ifTrue(streamable),
    loadListing,
    ...packContents(field, scope),
    format: packFormat(field.format),
    secondaryFiles: unlessEmpty(packSecondaryFiles(field.secondaryFiles, scope)),
    outputBinding: field.outputBinding === undefined ? undefined : packOutputBinding(field.outputBinding),
  });
}
