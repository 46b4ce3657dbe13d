import type { CwlType, PrimitiveKind, RecordField } from "../../model/cwl-type.ts";
import { listOf, listOrMap } from "../fields/collection-readers.ts";
import { DESCRIPTION } from "../fields/description-fields.ts";
import { shaped } from "../fields/field-info.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { boolean, text, wrongKind } from "../fields/scalar-readers.ts";
import { isTooDeep, readFrom, report, within, type Reader } from "../fields/scope.ts";
import { suggest, suggestionHint } from "../../suggest.ts";
import { fragmentOf, shortName } from "../../values/resolve-reference.ts";
import { entryOf, textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import { MAX_COPIED_NODES } from "../yaml/yaml-limits.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { LOADING, readFormat, readInputBinding, readOutputBinding, readSecondaryFiles } from "./read-binding.ts";

const PRIMITIVES: readonly PrimitiveKind[] = [
  "null",
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "string",
  "File",
  "Directory",
  "Any",
];
const CONSTRUCTORS = ["array", "record", "enum"];

interface TypeScope extends LoadScope {
  /** Definitions that are being read: a type that contains itself has no finite values. */
  readonly definitions?: readonly MappingNode[];
}

export const TYPE_SHAPE = { type: "type", value: "type", of: "type" } as const;

/**
 * A type: a name with its shorthands (`File[]?`), a list of alternatives, or an array, record or enum schema.
 * CWL v1.2 CommandLineTool.html#CWLType, SchemaSalad.html#Domain_Specific_Language_for_types.
 */
export const readType: Reader<CwlType, TypeScope> = shaped(TYPE_SHAPE, (node, scope) => {
  const expanded = scope.definitions === undefined ? 0 : scope.types.countExpanded();
  if (expanded > MAX_COPIED_NODES) return reportExpansion(expanded, node, scope);
  if (isTooDeep(scope, node)) return undefined;
  switch (node.kind) {
    case "scalar": {
      if (node.value === null) return wrongKind(node, scope, "a type", NULL_HINT);
      const name = text(node, scope);
      return name === undefined ? undefined : readTypeName(name, node, scope);
    }
    case "sequence":
      return readUnion(node.items, scope);
    case "mapping":
      return readSchema(node, scope);
  }
});

const NULL_HINT = 'write the null type as "null", in quotation marks';

/** Reports the limit once: all later types exceed it too. */
function reportExpansion(expanded: number, node: YamlNode, scope: TypeScope): undefined {
  if (expanded > MAX_COPIED_NODES + 1) return undefined;
  const message = `the types expand to more than ${MAX_COPIED_NODES} parts`;
  return report(scope, node, { code: "type-limit", message });
}

function readTypeName(name: string, node: YamlNode, scope: TypeScope): CwlType | undefined {
  if (name.endsWith("?")) {
    const inner = readTypeName(name.slice(0, -1), node, scope);
    return inner === undefined ? undefined : unionOf([{ kind: "null" }, inner]);
  }
  if (name.endsWith("[]")) {
    const items = readTypeName(name.slice(0, -2), node, scope);
    return items === undefined ? undefined : { kind: "array", items };
  }
  const kind = PRIMITIVES.find((primitive) => primitive === name);
  return kind === undefined ? readDefinition(name, node, scope) : { kind };
}

function readDefinition(name: string, node: YamlNode, scope: TypeScope): CwlType | undefined {
  const definition = scope.types.find(name, node.source.uri);
  if (definition === undefined) {
    const hint = streamHint(name) ?? unknownTypeHint(shortName(name), scope);
    return report(scope, node, { code: "unknown-type", message: `unknown type \`${name}\``, hint });
  }
  const definitions = scope.definitions ?? [];
  if (definitions.includes(definition)) {
    return report(scope, node, {
      code: "recursive-type",
      message: `the type \`${name}\` contains itself`,
    });
  }
  return readSchema(definition, { ...scope, definitions: [...definitions, definition] });
}

function unknownTypeHint(name: string, scope: TypeScope): string | undefined {
  const near = suggest(name, ["stdin", "stdout", "stderr"]);
  const names = [...PRIMITIVES, ...scope.types.names()];
  return suggestionHint(name, near === undefined ? names : [...names, near]);
}

/** The shorthands for streams are types of certain parameters only. */
function streamHint(name: string): string | undefined {
  if (name === "stdin") return "`stdin` is the type of one input of a CommandLineTool of v1.1 or later";
  const isOutput = name === "stdout" || name === "stderr";
  return isOutput ? `\`${name}\` is allowed only as the whole type of a CommandLineTool output` : undefined;
}

function readUnion(nodes: readonly YamlNode[], scope: TypeScope): CwlType | undefined {
  const options = nodes.map((node, index) => readType(node, within(scope, String(index))));
  const known = options.filter((option) => option !== undefined);
  return known.length === 0 || known.length < options.length ? undefined : unionOf(known);
}

/** A union without nested unions and repeated primitives; a single alternative is returned as it is. */
function unionOf(alternatives: readonly CwlType[]): CwlType {
  const flat = alternatives.flatMap((type) => (type.kind === "union" ? type.options : [type]));
  const options = flat.filter(
    (type, index) => !isPrimitive(type) || flat.findIndex(({ kind }) => kind === type.kind) === index,
  );
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { kind: "union", options };
}

function isPrimitive(type: CwlType): boolean {
  return PRIMITIVES.some((primitive) => primitive === type.kind);
}

function readSchema(node: MappingNode, scope: TypeScope): CwlType | undefined {
  const kind = textEntry(node, "type");
  switch (kind) {
    case "array":
      return readArray(node, scope);
    case "record":
      return readRecord(node, scope);
    case "enum":
      return readEnum(node, scope);
    default: {
      const hint = kind === undefined ? undefined : suggestionHint(kind, CONSTRUCTORS);
      const at = entryOf(node, "type")?.value ?? node;
      return wrongKind(at, scope, "a type schema with `type: array`, `record` or `enum`", hint);
    }
  }
}

const SCHEMA = {
  type: required(text, "The kind of type.", { type: "word", words: ["array", "record", "enum"] }),
  name: optional(text, "The name of the type."),
  ...DESCRIPTION,
  inputBinding: optional(readInputBinding),
};

/** v1.0 allowed some of these on an array or record schema of outputs, without any effect. */
export const ARRAY = {
  ...SCHEMA,
  items: required(readType, "The type of the elements."),
  outputBinding: optional(readOutputBinding, { until: "v1.0" }),
};
export const RECORD = {
  ...SCHEMA,
  inputBinding: optional(readInputBinding, { since: "v1.1" }),
  fields: optional(
    listOrMap({ of: "recordField", subject: "name", predicate: "type", readItem: readField }),
    "The fields of the record.",
  ),
};
export const ENUM = {
  ...SCHEMA,
  symbols: required(listOf(text), "The allowed values."),
  outputBinding: optional(readOutputBinding, { until: "v1.0" }),
};

function readArray(node: MappingNode, scope: TypeScope): CwlType | undefined {
  const { items, ...values } = readFields(node, ARRAY, scope);
  return items === undefined ? undefined : { kind: "array", items, ...schemaParts(values) };
}

function readRecord(node: MappingNode, scope: TypeScope): CwlType {
  const { fields = [], ...values } = readFields(node, RECORD, scope);
  return { kind: "record", fields, ...schemaParts(values) };
}

function readEnum(node: MappingNode, scope: TypeScope): CwlType | undefined {
  const { symbols, ...values } = readFields(node, ENUM, scope);
  reportRepeated(symbols ?? [], entryOf(node, "symbols")?.value ?? node, scope);
  return symbols === undefined ? undefined : { kind: "enum", symbols: symbols.map(symbolName), ...schemaParts(values) };
}

function reportRepeated(symbols: readonly string[], node: YamlNode, scope: TypeScope): void {
  const seen = new Set<string>();
  const repeated = symbols.find((symbol) => seen.size === seen.add(symbol).size);
  if (repeated === undefined) return;
  const message = `duplicate symbol \`${repeated}\``;
  report(within(scope, "symbols"), node, { code: "duplicate-id", message });
}

/** The name of a symbol, without the enum's URI that packed documents put before it. */
function symbolName(symbol: string): string {
  return fragmentOf(symbol) === "" ? symbol : shortName(symbol);
}

interface SchemaValues {
  readonly name: string | undefined;
  readonly label: string | undefined;
  readonly doc: string | undefined;
  readonly inputBinding: ReturnType<typeof readInputBinding>;
}

function schemaParts({ name, label, doc, inputBinding }: SchemaValues) {
  return omitUndefined({
    name: name === undefined ? undefined : shortName(name),
    label,
    doc,
    inputBinding: inputBinding?.binding,
  });
}

function readField(node: MappingNode, scope: TypeScope): RecordField | undefined {
  const { name, type, secondaryFiles = [], streamable = false, inputBinding, ...rest } = readFields(node, FIELD, scope);
  if (name === undefined || type === undefined) return undefined;
  const loadContents = rest.loadContents ?? inputBinding?.loadContents ?? false;
  const binding = omitUndefined({ inputBinding: inputBinding?.binding });
  const field = {
    ...omitUndefined(rest),
    ...binding,
    name: shortName(name),
    type,
    secondaryFiles,
    streamable,
    loadContents,
  };
  return readFrom(node, field, scope);
}

export const FIELD = {
  name: required(text, "The name of the field."),
  type: required(readType, "The type of the value; `?` makes it optional, `[]` makes it a list."),
  ...DESCRIPTION,
  secondaryFiles: optional(readSecondaryFiles, { since: "v1.1" }),
  streamable: optional(boolean, "A File is read or written once, from start to end.", {
    since: "v1.1",
    default: "false",
  }),
  format: optional(readFormat, { since: "v1.1" }),
  ...LOADING,
  inputBinding: optional(readInputBinding),
  outputBinding: optional(readOutputBinding),
};
