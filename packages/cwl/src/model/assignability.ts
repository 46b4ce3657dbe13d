import type { InputParameter } from "./process.ts";
import type { CwlType, EnumType, PrimitiveKind, RecordType } from "./cwl-type.ts";

/** Whether all values of a type fit another type (`yes`), only some (`maybe`), or none (`no`). */
export type Assignability = "yes" | "maybe" | "no";

/** The kinds of numbers to which each kind can be converted. */
const WIDENS_TO: { readonly [kind in "int" | "long" | "float"]: readonly PrimitiveKind[] } = {
  int: ["long", "float", "double"],
  long: ["float", "double"],
  float: ["double"],
};

/**
 * Says whether the values of a source fit a sink, by their types. `Any` fits in both directions: the value is checked at
 * run time. CWL v1.2 Workflow.html#WorkflowStepInput.
 */
export function assignability(source: CwlType, sink: CwlType): Assignability {
  if (source.kind === "Any" || sink.kind === "Any") return "yes";
  if (source.kind === "union") return fromUnion(source.options, sink);
  if (sink.kind === "union") return best(sink.options.map((option) => assignability(source, option)));
  if (source.kind === "array") return sink.kind === "array" ? assignability(source.items, sink.items) : "no";
  if (source.kind === "record") return sink.kind === "record" ? betweenRecords(source, sink) : "no";
  if (source.kind === "enum") return fromEnum(source, sink);
  return fromPrimitive(source.kind, sink);
}

/** Null alone does not justify a link: another option must fit too. */
function fromUnion(options: readonly CwlType[], sink: CwlType): Assignability {
  const verdicts = options.map((option) => ({
    isNull: option.kind === "null",
    verdict: assignability(option, sink),
  }));
  const values = verdicts.filter(({ isNull }) => !isNull);
  if (values.length > 0 && values.every(({ verdict }) => verdict === "no")) return "no";
  return verdicts.every(({ verdict }) => verdict === "yes") ? "yes" : "maybe";
}

/** Records may have more fields than required; a missing one counts as null. */
function betweenRecords(source: RecordType, sink: RecordType): Assignability {
  const sourceTypes = new Map(source.fields.map((field) => [field.name, field.type]));
  return worst(sink.fields.map((field) => assignability(sourceTypes.get(field.name) ?? { kind: "null" }, field.type)));
}

function fromEnum(source: EnumType, sink: CwlType): Assignability {
  if (sink.kind === "string") return "yes";
  if (sink.kind !== "enum") return "no";
  const shared = source.symbols.filter((symbol) => sink.symbols.includes(symbol)).length;
  if (shared === 0) return "no";
  return shared === source.symbols.length ? "yes" : "maybe";
}

function fromPrimitive(source: PrimitiveKind, sink: CwlType): Assignability {
  if (source === sink.kind) return "yes";
  if (source === "string") return sink.kind === "enum" ? "maybe" : "no";
  const widened: readonly string[] = isNarrow(source) ? WIDENS_TO[source] : [];
  if (widened.includes(sink.kind)) return "yes";
  const isNarrowing = (source === "long" && sink.kind === "int") || (source === "double" && sink.kind === "float");
  return isNarrowing ? "maybe" : "no";
}

function isNarrow(kind: PrimitiveKind): kind is keyof typeof WIDENS_TO {
  return Object.hasOwn(WIDENS_TO, kind);
}

function best(verdicts: readonly Assignability[]): Assignability {
  if (verdicts.includes("yes")) return "yes";
  return verdicts.includes("maybe") ? "maybe" : "no";
}

function worst(verdicts: readonly Assignability[]): Assignability {
  if (verdicts.includes("no")) return "no";
  return verdicts.includes("maybe") ? "maybe" : "yes";
}

/** True if a run fails without a value for the input. */
export function needsValue({ default: value, type }: InputParameter): boolean {
  return value === undefined && assignability({ kind: "null" }, type) === "no";
}
