import { CwlFailure } from "../../cwl-failure.ts";
import { isArray } from "../../values/value-kind.ts";
import { limitExceeded, type CwlLimits } from "../../limits.ts";
import type { CwlValue } from "../../model/cwl-value.ts";
import type { Link, PickValue } from "../../model/process.ts";

export interface LinkPlace {
  readonly place: string;
  readonly limits: CwlLimits;
}

/**
 * The value of a link: its sources merged, then filtered by `pickValue`. Null if the link has no source.
 * CWL v1.2 Workflow.html#WorkflowStepInput. Returns a failure (never throws it) if `pickValue` finds too few or too many
 * values, or if the merged list is too long: a document can name one long list many times.
 */
export function linkValue(
  link: Link,
  valueOf: (source: string) => CwlValue,
  { place, limits }: LinkPlace,
): CwlValue | CwlFailure {
  const values = link.source.map(valueOf);
  const elements = mergedLength(link, values);
  if (elements > limits.valueItems)
    return limitExceeded("valueItems", limits, { what: `a merged list of ${elements.toLocaleString("en")}`, place });
  const merged = mergeSources(link, values);
  // A value from a step may contain one long list many times, which is small in memory but huge once serialized.
  const exceeded = link.source.some((source) => source.includes("/")) ? exceededLimit(merged, limits) : undefined;
  if (exceeded !== undefined) return linkExceeds(exceeded, { place, limits });
  if (link.pickValue === undefined) return merged;
  return pickFrom(isArray(merged) ? merged : [merged], link.pickValue, place);
}

/** A limit that applies to the values of links. */
export type LinkLimit = "valueItems" | "valueDepth";

export function linkExceeds(exceeded: LinkLimit, { place, limits }: LinkPlace): CwlFailure {
  return limitExceeded(exceeded, limits, { what: "the value of a link", place });
}

/** The limit that a value exceeds, if any. Stops as soon as a limit is exceeded. */
function exceededLimit(value: CwlValue, limits: CwlLimits): LinkLimit | undefined {
  let left = limits.valueItems;
  const exceededIn = (inner: CwlValue, depth: number): LinkLimit | undefined => {
    if (typeof inner !== "object" || inner === null) return undefined;
    if (depth > limits.valueDepth) return "valueDepth";
    const members: readonly CwlValue[] = isArray(inner) ? inner : Object.values(inner);
    left -= members.length;
    if (left < 0) return "valueItems";
    for (const member of members) {
      const exceeded = exceededIn(member, depth + 1);
      if (exceeded !== undefined) return exceeded;
    }
    return undefined;
  };
  return exceededIn(value, 1);
}

function mergedLength({ linkMerge }: Link, values: readonly CwlValue[]): number {
  if (linkMerge !== "merge_flattened") return 0;
  return values.reduce<number>((sum, value) => sum + (isArray(value) ? value.length : 1), 0);
}

function mergeSources({ linkMerge, source }: Link, values: readonly CwlValue[]): CwlValue {
  const [first = null] = values;
  if (linkMerge === undefined) return source.length > 1 ? values : first;
  if (source.length === 0) return null;
  return linkMerge === "merge_nested" ? values : values.flatMap((value) => (isArray(value) ? value : [value]));
}

function pickFrom(values: readonly CwlValue[], method: PickValue, place: string): CwlValue | CwlFailure {
  const present = values.filter((value) => value !== null);
  const [first] = present;
  switch (method) {
    case "all_non_null":
      return present;
    case "first_non_null":
      if (first !== undefined) return first;
      return new CwlFailure(
        "INPUT_INVALID",
        "`pickValue: first_non_null` found only null: every source was skipped or empty",
        { place },
      );
    case "the_only_non_null":
      if (first !== undefined && present.length === 1) return first;
      return new CwlFailure(
        "INPUT_INVALID",
        `\`pickValue: the_only_non_null\` found ${present.length} values that are not null`,
        { place },
      );
  }
}
