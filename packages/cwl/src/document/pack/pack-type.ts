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
      return jsonObject({ ...packSchema(type, scope), items: packType(type.items, scope) });
    case "record":
      return jsonObject({
        ...packSchema(type, scope),
        fields: type.fields.map((field) => packField(field, scope)),
      });
    case "enum":
      return jsonObject({ ...packSchema(type, scope), symbols: type.symbols });
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

type Schema = Extract<CwlType, { kind: "array" | "record" | "enum" }>;

function packSchema({ kind, name, label, doc, inputBinding }: Schema, { types }: PackScope) {
  const isBound = inputBinding !== undefined && types === "command-input";
  return { type: kind, name, label, doc, inputBinding: isBound ? packInputBinding(inputBinding) : undefined };
}

function packField(field: RecordField, scope: PackScope): JsonValue {
  const { name, label, doc, type, streamable, loadListing, loadContents, inputBinding, outputBinding } = field;
  const isInput = scope.types === "input" || scope.types === "command-input";
  const bound = inputBinding !== undefined && scope.types === "command-input" ? { inputBinding } : {};
  const isCollected = outputBinding !== undefined && scope.types === "command-output";
  return jsonObject({
    name,
    label,
    doc,
    type: packType(type, scope),
    streamable: ifTrue(streamable),
    ...(isInput ? { loadListing, ...packContents({ loadContents, ...bound }, scope) } : {}),
    format: packFormat(field.format),
    secondaryFiles: unlessEmpty(packSecondaryFiles(field.secondaryFiles, scope)),
    outputBinding: isCollected ? packOutputBinding(outputBinding) : undefined,
  });
}
