/**
 * Looks up parameter references in types, as `resolve-reference.ts` looks them up in values: before a run, only the type of
 * a value is known.
 */
import type { CwlType, RecordField } from "../../model/cwl-type.ts";
import { typeText } from "../../model/type-text.ts";
import { suggestionHint } from "../../suggest.ts";

export interface StaticValue {
  /** Any if the type is unknown. */
  readonly type: CwlType;
  /** True if Files may have `contents`. */
  readonly hasContents: boolean;
}

/** The names that an expression can use. */
export interface StaticNames {
  readonly inputs: StaticValue;
  readonly self: StaticValue;
  readonly runtime: StaticValue;
}

export type Segment = string | number;

export interface LookupProblem {
  readonly code: "unknown-reference" | "contents-not-loaded";
  readonly message: string;
  readonly hint: string | undefined;
  /** Number of segments found before the problem. */
  readonly found: number;
  /** True if only a script can use the member: `inputs.text.length`. */
  readonly needsScript: boolean;
  /** True if the value may have the member although its type does not declare it, as in a record. */
  readonly mayExist: boolean;
}

/** The value at the end of a path, or why it does not exist. `path` names the value for messages. */
export function lookUp(value: StaticValue, path: string, segments: readonly Segment[]): StaticValue | LookupProblem {
  let current = value;
  let name = path;
  for (const [found, segment] of segments.entries()) {
    const next = step(current, name, segment);
    if ("message" in next) return { ...next, found };
    current = next;
    name += typeof segment === "number" ? `[${segment}]` : `.${segment}`;
  }
  return current;
}

type StepProblem = Omit<LookupProblem, "found">;

function step(value: StaticValue, name: string, segment: Segment): StaticValue | StepProblem {
  const { type } = value;
  if (type.kind === "Any") return value;
  if (type.kind === "union") return stepIntoUnion(value, type.options, name, segment);
  const next = memberOf(value, segment);
  return next ?? notFound(value, name, segment);
}

/** The member of a union, which at least one option other than null must have. */
function stepIntoUnion(
  { hasContents }: StaticValue,
  options: readonly CwlType[],
  name: string,
  segment: Segment,
): StaticValue | StepProblem {
  const nonNull = options.filter(({ kind }) => kind !== "null");
  const results = nonNull.map((type) => step({ type, hasContents }, name, segment));
  const found = results.filter((result) => "type" in result);
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  if (only !== undefined) {
    const all = found.map(({ type }) => type);
    return { type: { kind: "union", options: all }, hasContents: found.some((one) => one.hasContents) };
  }
  const problems = results.filter((result) => "message" in result);
  return (
    problems.find(({ mayExist }) => mayExist) ??
    problems[0] ??
    notFound({ type: { kind: "null" }, hasContents }, name, segment)
  );
}

function memberOf({ type, hasContents }: StaticValue, segment: Segment): StaticValue | undefined {
  switch (type.kind) {
    case "array":
      if (typeof segment === "number") return { type: type.items, hasContents };
      return segment === "length" ? { type: { kind: "int" }, hasContents } : undefined;
    case "record": {
      // The Files of a value of type Any may have any field.
      const field = type.fields.find((candidate) => candidate.name === segment);
      return field === undefined
        ? undefined
        : { type: field.type, hasContents: hasContents || field.loadContents || field.type.kind === "Any" };
    }
    case "File":
    case "Directory": {
      const member = MEMBERS[type.kind].get(String(segment));
      if (segment === "contents" && !hasContents) return undefined;
      return member === undefined ? undefined : { type: member, hasContents: true };
    }
    case "string":
    case "enum":
      return typeof segment === "number" ? { type: { kind: "string" }, hasContents } : undefined;
    default:
      return undefined;
  }
}

const TEXT: CwlType = { kind: "string" };
export const FILES: CwlType = {
  kind: "array",
  items: { kind: "union", options: [{ kind: "File" }, { kind: "Directory" }] },
};

const NAMES = ["class", "location", "path", "basename", "dirname", "nameroot", "nameext"];

/** CWL v1.2 CommandLineTool.html#File, #Directory. */
const MEMBERS: { readonly [kind in "File" | "Directory"]: ReadonlyMap<string, CwlType> } = {
  File: new Map<string, CwlType>([
    ...[...NAMES, "checksum", "format", "contents"].map((name) => [name, TEXT] as const),
    ["size", { kind: "long" }],
    ["secondaryFiles", FILES],
  ]),
  Directory: new Map<string, CwlType>([...NAMES.map((name) => [name, TEXT] as const), ["listing", FILES]]),
};

/** The members that the type of a value declares, for suggestions; empty if none are known. */
export function membersOf(type: CwlType): readonly (readonly [name: string, type: CwlType])[] {
  switch (type.kind) {
    case "record":
      return type.fields.map((field) => [field.name, field.type]);
    case "File":
    case "Directory":
      return [...MEMBERS[type.kind]];
    case "array":
      return [["length", { kind: "int" }]];
    case "union":
      return [...new Map(type.options.flatMap((option) => [...membersOf(option)]))];
    default:
      return [];
  }
}

/** Members of primitive values and lists that only JavaScript knows. */
const SCRIPT_MEMBERS = new Set(["length"]);

function notFound({ type }: StaticValue, name: string, segment: Segment): StepProblem {
  const member = typeof segment === "number" ? `element ${segment}` : `field \`${segment}\``;
  const needsScript = (type.kind === "string" || type.kind === "enum") && SCRIPT_MEMBERS.has(String(segment));
  const mayExist = type.kind === "record" && !isRoot(name);
  const problem = { code: "unknown-reference", needsScript, mayExist } as const;
  if (type.kind === "File" && segment === "contents")
    return {
      ...problem,
      code: "contents-not-loaded",
      message: `\`${name}\` has no \`contents\`, because they are not loaded`,
      hint: "add `loadContents: true` to the input, or to the `outputBinding`, that it comes from",
    };
  if (type.kind === "null")
    return { ...problem, message: `\`${name}\` is null here and has no ${member}`, hint: NULL_HINT };
  const candidates = membersOf(type).map(([known]) => known);
  if (type.kind === "record" && candidates.length === 0)
    return { ...problem, message: `\`${name}\` has no fields here, so it has no ${member}`, hint: emptyHint(name) };
  const known =
    type.kind === "array" ? listHint(name, type.items, segment) : suggestionHint(String(segment), candidates);
  const hint = known ?? (candidates.length === 0 ? `use \`${name}\` itself` : undefined);
  if (type.kind === "record") return { ...problem, message: `\`${name}\` has no ${member}`, hint };
  return { ...problem, message: `\`${name}\` is of type ${typeText(type)} and has no ${member}`, hint };
}

/** True for variables whose members are all known. */
function isRoot(name: string): boolean {
  return name === "inputs" || name === "runtime";
}

const NULL_HINT =
  "`self` is the value that a field is about, such as the input of its `inputBinding`; elsewhere use `inputs`";

function emptyHint(name: string): string | undefined {
  if (name === "inputs") return "declare the input first";
  if (name !== "runtime") return undefined;
  return "only expressions of one job can use `runtime`, not those of steps, resources or inputs";
}

function listHint(name: string, items: CwlType, segment: Segment): string | undefined {
  const isOfItem = !("message" in step({ type: items, hasContents: true }, name, segment));
  return isOfItem ? `take an element first: \`${name}[0].${segment}\`` : undefined;
}

/** A record type with fields of the given names and types. */
export function recordOf(fields: readonly (readonly [name: string, value: StaticValue])[]): CwlType {
  return {
    kind: "record",
    fields: fields.map(([name, { type, hasContents }]): RecordField => ({
      name,
      type,
      secondaryFiles: [],
      streamable: false,
      loadContents: hasContents,
    })),
  };
}

/** A value of unknown type. */
export const UNKNOWN: StaticValue = { type: { kind: "Any" }, hasContents: true };

/** `runtime` where it has no members. */
export const NO_RUNTIME: StaticValue = { type: { kind: "record", fields: [] }, hasContents: true };

export const NOTHING: StaticValue = { type: { kind: "null" }, hasContents: true };
