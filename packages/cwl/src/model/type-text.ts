import type { CwlType, RecordType } from "./cwl-type.ts";

/**
 * A type in one line, for people and forms: `File[]?`, `int | string`, `record sample`, `enum [a, b]`. Records without
 * a name list their fields, `record {bam: File, tag: string?}`.
 */
export function typeText(type: CwlType): string {
  switch (type.kind) {
    case "array":
      return `${operand(type.items)}[]`;
    case "record":
      return `record ${type.name ?? fieldsText(type)}`;
    case "enum":
      return `enum [${type.symbols.join(", ")}]`;
    case "union":
      return unionText(type.options);
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

function fieldsText({ fields }: RecordType): string {
  return `{${fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(", ")}}`;
}

function unionText(options: readonly CwlType[]): string {
  const [only, second] = options.filter(({ kind }) => kind !== "null");
  const isOptional = options.some(({ kind }) => kind === "null");
  if (isOptional && only !== undefined && second === undefined) return `${operand(only)}?`;
  return options.map(typeText).join(" | ");
}

/** The part before `[]` or `?`, in parentheses where it would otherwise be ambiguous. */
function operand(type: CwlType): string {
  return type.kind === "union" ? `(${typeText(type)})` : typeText(type);
}
