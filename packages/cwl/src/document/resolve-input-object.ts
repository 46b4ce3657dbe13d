import { checkObject, type ValueLimits } from "../files/value/checked-value.ts";
import { MAX_PROBLEMS } from "../files/problem-list.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { resolveFileValue } from "./resolve-file-value.ts";

export interface InputProblem {
  /** JSON pointer to what is wrong (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string;
}

export interface ResolvedInputObject {
  readonly values: CwlObject;
  readonly problems: readonly InputProblem[];
}

/**
 * The same as `loadInputObject` for an input object that is already parsed, such as the body of a request: locations
 * are made absolute against `baseUri`. Everything that is wrong with the values themselves is a problem, up to 10,000 of each kind.
 */
export function resolveInputObject(value: unknown, baseUri: string, limits: ValueLimits): ResolvedInputObject {
  const problems: InputProblem[] = [];
  if (!isPlainObject(value))
    return {
      values: {},
      problems: [{ pointer: "", message: "expected a map from input names to values" }],
    };
  const resolved: { [name: string]: unknown } = Object.create(null);
  const context = { baseUri, problems, maxDepth: limits.valueDepth };
  for (const [name, item] of Object.entries(value))
    resolved[name] = resolveValue(item, { pointer: `/${escapeSegment(name)}`, depth: 0 }, context);
  const checked = checkObject(resolved, limits);
  return { values: checked.values, problems: [...problems, ...checked.problems] };
}

interface Context {
  readonly baseUri: string;
  readonly problems: InputProblem[];
  readonly maxDepth: number;
}

interface Place {
  readonly pointer: string;
  readonly depth: number;
}

function resolveValue(value: unknown, { pointer, depth }: Place, context: Context): unknown {
  // The check refuses deeper values as a whole.
  if (typeof value !== "object" || value === null || depth > context.maxDepth) return value;
  const inner = (segment: string) => ({ pointer: `${pointer}/${segment}`, depth: depth + 1 });
  if (Array.isArray(value))
    return value.map((item: unknown, index) => resolveValue(item, inner(String(index)), context));
  if (!isPlainObject(value)) return value;
  const object: { [field: string]: unknown } = Object.create(null);
  for (const [field, item] of Object.entries(value))
    object[field] = resolveValue(item, inner(escapeSegment(field)), context);
  const resolved = resolveFileValue(object, { baseUri: context.baseUri, namespaces: new Map() });
  if (resolved.problem !== undefined && context.problems.length < MAX_PROBLEMS)
    context.problems.push({ pointer, message: resolved.problem });
  return resolved.value;
}

function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
