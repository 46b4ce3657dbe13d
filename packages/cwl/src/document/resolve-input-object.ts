import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { resolveFileValue } from "./resolve-file-value.ts";

export interface InputProblem {
  /** JSON pointer to what is wrong (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

export interface ResolvedInputObject {
  readonly values: CwlObject;
  readonly problems: readonly InputProblem[];
}

const MAX_DEPTH = 64;

/**
 * The same as `loadInputObject` for an input object that is already parsed, such as the body of a request: locations
 * are made absolute against `baseUri`. Values that JSON does not know are problems.
 */
export function resolveInputObject(value: unknown, baseUri: string): ResolvedInputObject {
  const problems: InputProblem[] = [];
  if (!isPlainObject(value))
    return {
      values: {},
      problems: [{ pointer: "", message: "expected a map from input names to values" }],
    };
  const values: { [name: string]: CwlValue } = Object.create(null);
  for (const [name, item] of Object.entries(value))
    values[name] = resolveValue(item, `/${escapeSegment(name)}`, { baseUri, problems });
  return { values, problems };
}

interface Context {
  readonly baseUri: string;
  readonly problems: InputProblem[];
}

function resolveValue(value: unknown, pointer: string, context: Context): CwlValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (pointer.split("/").length > MAX_DEPTH) return refuse("the value nests too deep", pointer, context);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => resolveValue(item, `${pointer}/${index}`, context));
  if (!isPlainObject(value)) return refuse("this is no JSON value", pointer, context);
  const object: { [field: string]: CwlValue } = Object.create(null);
  for (const [field, item] of Object.entries(value))
    object[field] = resolveValue(item, `${pointer}/${escapeSegment(field)}`, context);
  const resolved = resolveFileValue(object, { baseUri: context.baseUri, namespaces: new Map() });
  if (resolved.problem !== undefined) refuse(resolved.problem, pointer, context);
  return resolved.value;
}

function refuse(message: string, pointer: string, { problems }: Context): null {
  problems.push({ pointer, message });
  return null;
}

function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
