import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { InputParameter, OutputParameter } from "@weft/cwl/model/process.ts";
import { ref } from "./crate-graph.ts";
import type { CrateEntity } from "./crate-graph.ts";
import { PARAMETER_PROFILE } from "./crate-profiles.ts";

/** An input or output of a process as a FormalParameter. */
export function describeParameter(id: string, parameter: InputParameter | OutputParameter): CrateEntity {
  const { type, doc, label, format, secondaryFiles } = parameter;
  const types = additionalTypes(type, secondaryFiles.length > 0);
  const isOptional = allowsNull(type) || ("default" in parameter && parameter.default !== undefined);
  return {
    "@id": id,
    "@type": "FormalParameter",
    conformsTo: ref(PARAMETER_PROFILE),
    name: parameter.id,
    ...(label === undefined ? {} : { alternateName: label }),
    ...(doc === undefined ? {} : { description: doc }),
    additionalType: types.length === 1 ? types[0] : types,
    ...(holdsMany(type) ? { multipleValues: "True" } : {}),
    ...(isOptional ? { valueRequired: "False" } : { valueRequired: "True" }),
    ...defaultOf(parameter),
    ...(format === undefined ? {} : { encodingFormat: format.map(String) }),
  };
}

function defaultOf(parameter: InputParameter | OutputParameter): { readonly defaultValue?: string } {
  if (!("default" in parameter) || parameter.default === undefined || parameter.default === null) return {};
  const { default: value } = parameter;
  return { defaultValue: typeof value === "string" ? value : JSON.stringify(value) };
}

function allowsNull(type: CwlType): boolean {
  return type.kind === "null" || type.kind === "Any" || (type.kind === "union" && type.options.some(allowsNull));
}

function holdsMany(type: CwlType): boolean {
  return type.kind === "array" || (type.kind === "union" && type.options.some(holdsMany));
}

/** An array has the types of its elements. A file with secondary files is a Collection. */
function additionalTypes(type: CwlType, hasSecondaryFiles: boolean): readonly string[] {
  switch (type.kind) {
    case "array":
      return additionalTypes(type.items, hasSecondaryFiles);
    case "union": {
      const options = type.options.filter(({ kind }) => kind !== "null");
      return [...new Set(options.flatMap((option) => additionalTypes(option, hasSecondaryFiles)))];
    }
    case "File":
      return [hasSecondaryFiles ? "Collection" : "File"];
    case "Directory":
      return ["Dataset"];
    case "string":
    case "enum":
      return ["Text"];
    case "int":
    case "long":
      return ["Integer"];
    case "float":
    case "double":
      return ["Float"];
    case "boolean":
      return ["Boolean"];
    case "record":
      return ["PropertyValue"];
    case "Any":
    case "null":
      return ["DataType"];
  }
}
