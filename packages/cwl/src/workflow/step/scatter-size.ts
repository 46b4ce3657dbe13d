import { CwlFailure } from "../../cwl-failure.ts";
import { isArray, kindText } from "../../values/value-kind.ts";
import { limitExceeded, type CwlLimits } from "../../limits.ts";
import type { CwlValue } from "../../model/cwl-value.ts";
import type { WorkflowStep } from "../../model/process.ts";

export interface ScatterSize {
  readonly jobs: number;
  /** The largest number of combinations up to any axis: a nested crossproduct with an empty list has no jobs but many lists. */
  readonly combinations: number;
}

/**
 * Computes the number of jobs of a scatter from the lengths of its lists alone: a few kilobytes of input can request
 * billions. Fails with INPUT_INVALID if a scattered value is not a list. CWL v1.2 Workflow.html#WorkflowStep.
 */
export function scatterSize(
  { scatter, scatterMethod = "dotproduct" }: Pick<WorkflowStep, "scatter" | "scatterMethod">,
  valueOf: (input: string) => CwlValue,
): ScatterSize {
  if (scatter.length === 0) return { jobs: 1, combinations: 1 };
  if (scatterMethod === "dotproduct") return alignedSize(scatter, valueOf);
  const sizes = crossedSizes(scatter, valueOf);
  const jobs = sizes.at(-1) ?? 1;
  const isFlat = scatterMethod === "flat_crossproduct";
  return { jobs, combinations: isFlat && jobs === 0 ? 0 : Math.max(...sizes) };
}

/** Throws LIMIT_EXCEEDED if a scatter is too large. `place`: the path of the step. */
export function requireScatterSize({ combinations }: ScatterSize, limits: CwlLimits, place: string): void {
  if (combinations <= limits.jobsPerScatter) return;
  throw limitExceeded("jobsPerScatter", limits, { what: `a scatter of ${countText(combinations)} jobs`, place });
}

/** Throws LIMIT_EXCEEDED if a run would have too many jobs, including iterations and executions of nested workflows. */
export function requireJobsOfRun(jobs: number, limits: CwlLimits, place: string): void {
  if (jobs > limits.jobsPerRun)
    throw limitExceeded("jobsPerRun", limits, { what: `a run of ${countText(jobs)} jobs`, place });
}

/** A count for a message: beyond the exact range of doubles, only the magnitude. */
function countText(count: number): string {
  return count <= Number.MAX_SAFE_INTEGER ? count.toLocaleString("en") : `more than ${count.toPrecision(1)}`;
}

export function requireList(name: string, value: CwlValue): readonly CwlValue[] {
  if (isArray(value)) return value;
  throw new CwlFailure("INPUT_INVALID", `\`${name}\` is scattered over and must be a list, but is ${kindText(value)}`, {
    place: `in.${name}`,
  });
}

function alignedSize(names: readonly string[], valueOf: (input: string) => CwlValue): ScatterSize {
  const lengths = names.map((name) => requireList(name, valueOf(name)).length);
  if (new Set(lengths).size > 1) {
    const shown = names.map((name, axis) => `\`${name}\` has ${lengths[axis]}`).join(", ");
    throw new CwlFailure("INPUT_INVALID", `lists that are scattered together must have the same length: ${shown}`, {
      place: "scatter",
    });
  }
  const [jobs = 0] = lengths;
  return { jobs, combinations: jobs };
}

/**
 * The number of combinations of the first axis, of the first two axes, and so on up to the first axis without elements.
 * An input that is scattered twice is a list of lists: its second axis counts the elements of all of them.
 */
function crossedSizes(names: readonly string[], valueOf: (input: string) => CwlValue): readonly number[] {
  const elements = new Map<string, Elements>();
  const sizes: number[] = [];
  for (const name of names) {
    const lists = elements.get(name)?.inner() ?? [requireList(name, valueOf(name))];
    const own = elementsOf(name, lists);
    elements.set(name, own);
    // Many long lists yield Infinity, and Infinity times zero is NaN.
    const size = own.count === 0 ? 0 : [...elements.values()].reduce((product, { count }) => product * count, 1);
    sizes.push(size);
    if (size === 0) break;
  }
  return sizes;
}

/** The elements of one input on its last axis. */
interface Elements {
  readonly count: number;
  /** The elements, each of which is a list. */
  readonly inner: () => readonly (readonly CwlValue[])[];
}

function elementsOf(name: string, lists: readonly (readonly CwlValue[])[]): Elements {
  return {
    count: lists.reduce((sum, { length }) => sum + length, 0),
    inner: () => lists.flatMap((list) => list.map((element) => requireList(name, element))),
  };
}
