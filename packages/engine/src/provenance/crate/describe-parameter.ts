import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { InputParameter, OutputParameter } from "@weft/cwl/model/process.ts";
import { ref } from "./crate-graph.ts";
import type { CrateEntity } from "./crate-graph.ts";
import { PARAMETER_PROFILE } from "./crate-profiles.ts";

/** The kinds of files among the values of a parameter: without and with secondary files. */
export interface ExampleKinds {
  readonly isFile: boolean;
  readonly isCollected: boolean;
}

/** An input or output of a process as a FormalParameter. */
export function describeParameter(
  id: string,
  parameter: InputParameter | OutputParameter,
  examples: ExampleKinds,
): CrateEntity {
  const { type, doc, label, format, secondaryFiles } = parameter;
  const types = additionalTypes(type, typesOfFile(secondaryFiles, examples));
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
    ...(format === undefined ? {} : { encodingFormat: format.length === 1 ? String(format[0]) : format.map(String) }),
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

/** A file with secondary files is a Collection. Where values could be either, one type is enough if all have it: `runcrate` cannot read two. */
function typesOfFile(
  secondaryFiles: InputParameter["secondaryFiles"],
  { isFile, isCollected }: ExampleKinds,
): readonly string[] {
  if (isFile && isCollected) return ["File", "Collection"];
  const isDeclared = secondaryFiles.some(({ required }) => required === true);
  return isCollected || (isDeclared && !isFile) ? ["Collection"] : ["File"];
}

/** An array has the types of its elements. */
function additionalTypes(type: CwlType, ofFile: readonly string[]): readonly string[] {
  switch (type.kind) {
    case "array":
      return additionalTypes(type.items, ofFile);
    case "union": {
      const options = type.options.filter(({ kind }) => kind !== "null");
      return [...new Set(options.flatMap((option) => additionalTypes(option, ofFile)))];
    }
    case "File":
      return ofFile;
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
