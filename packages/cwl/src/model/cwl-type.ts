import type { InputBinding, LoadListing, OutputBinding, SecondaryFilePattern } from "./binding.ts";

export type PrimitiveKind =
  | "null"
  | "boolean"
  | "int"
  | "long"
  | "float"
  | "double"
  | "string"
  | "File"
  | "Directory"
  | "Any";

/**
 * A CWL type with every shorthand (`File?`, `string[]`), import and SchemaDef name resolved. Source: CWL v1.2
 * CommandLineTool.html#CWLType and the schema types listed there.
 */
export type CwlType =
  | { readonly kind: PrimitiveKind }
  | ArrayType
  | RecordType
  | EnumType
  | { readonly kind: "union"; readonly options: readonly CwlType[] };

/** Fields of a type that a document declares. */
interface DeclaredType {
  readonly name?: string;
  readonly label?: string;
  readonly doc?: string;
  readonly inputBinding?: InputBinding;
}

export interface ArrayType extends DeclaredType {
  readonly kind: "array";
  readonly items: CwlType;
}

export interface RecordType extends DeclaredType {
  readonly kind: "record";
  readonly fields: readonly RecordField[];
}

export interface EnumType extends DeclaredType {
  readonly kind: "enum";
  /** Short names, without the document's URI. */
  readonly symbols: readonly string[];
}

export interface RecordField {
  readonly name: string;
  readonly type: CwlType;
  readonly label?: string;
  readonly doc?: string;
  readonly secondaryFiles: readonly SecondaryFilePattern[];
  readonly streamable: boolean;
  readonly format?: readonly string[];
  readonly loadContents: boolean;
  readonly loadListing?: LoadListing;
  readonly inputBinding?: InputBinding;
  readonly outputBinding?: OutputBinding;
}

/** Whether a value of the type may be a list: an array, or a union with an array among its options. */
export function acceptsList(type: CwlType | undefined): boolean {
  if (type?.kind === "union") return type.options.some(acceptsList);
  return type?.kind === "array";
}
