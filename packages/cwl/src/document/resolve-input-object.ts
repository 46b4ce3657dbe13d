import { pointerTo } from "../values/input-problem.ts";
import { checkObject, isObject, type ValueLimits, type ValueProblem } from "../values/checked-value.ts";
import { MAX_PROBLEMS } from "../values/problem-list.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import type { GiveWay } from "../give-way.ts";
import { resolveFileValue } from "../values/resolve-file-value.ts";

export interface ResolvedInputObject {
  readonly values: CwlObject;
  readonly problems: readonly ValueProblem[];
}

interface ResolveOptions {
  readonly baseUri: string;
  readonly limits: ValueLimits;
  readonly giveWay: GiveWay;
}

/**
 * Like `loadInputObject`, for an input object that is already parsed, such as the body of a request: makes locations
 * absolute against `baseUri`. Returns invalid values as problems, up to 1,000 of each kind, and never throws for them.
 */
export async function resolveInputObject(value: unknown, options: ResolveOptions): Promise<ResolvedInputObject> {
  const { baseUri, limits, giveWay } = options;
  const problems: ValueProblem[] = [];
  if (!isObject(value))
    return {
      values: {},
      problems: [{ pointer: "", message: "expected a map from input names to values" }],
    };
  const resolved: { [name: string]: unknown } = Object.create(null);
  const context = { baseUri, problems, maxDepth: limits.valueDepth, giveWay };
  for (const [name, item] of Object.entries(value))
    resolved[name] = isContainer(item)
      ? await resolveValue(item, { pointer: pointerTo("", name), depth: 0 }, context)
      : item;
  await giveWay();
  const checked = checkObject(resolved, limits);
  return { values: checked.values, problems: [...problems, ...checked.problems] };
}

interface Context {
  readonly baseUri: string;
  readonly problems: ValueProblem[];
  readonly maxDepth: number;
  readonly giveWay: GiveWay;
}

interface Place {
  readonly pointer: string;
  readonly depth: number;
}

async function resolveValue(value: object, { pointer, depth }: Place, context: Context): Promise<unknown> {
  // `checkObject` refuses deeper values as a whole.
  if (depth > context.maxDepth) return value;
  const due = context.giveWay();
  if (due !== undefined) await due;
  const resolveInner = (item: object, segment: string | number) =>
    resolveValue(item, { pointer: pointerTo(pointer, segment), depth: depth + 1 }, context);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      list.push(isContainer(item) ? await resolveInner(item, index) : item);
    }
    return list;
  }
  const object: { [field: string]: unknown } = Object.create(null);
  for (const [field, item] of Object.entries(value))
    object[field] = isContainer(item) ? await resolveInner(item, field) : item;
  const resolved = resolveFileValue(object, { baseUri: context.baseUri, namespaces: new Map() });
  if (resolved.problem !== undefined && context.problems.length < MAX_PROBLEMS)
    context.problems.push({ pointer, message: resolved.problem });
  return resolved.value;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
