import { CwlFailure } from "../../cwl-failure.ts";
import { fieldOf, isArray, kindText } from "../../files/value/value-kind.ts";
import type { CwlObject, CwlValue } from "../../model/cwl-value.ts";
import type { ScatterMethod, WorkflowStep } from "../../model/process.ts";

/** How the results of jobs are gathered: the number of a job, or a list of such. */
export type GatherShape = number | readonly GatherShape[];

export interface ScatterJob {
  readonly inputs: CwlObject;
  /** Where the job stands on each scattered axis; empty for a step that is not scattered. */
  readonly index: readonly number[];
}

export interface Scatter {
  /** In the order of the numbers in `shape`. */
  readonly jobs: readonly ScatterJob[];
  readonly shape: GatherShape;
}

/**
 * The jobs of a step, one for each combination of elements that its scatter method makes; a step without scatter has
 * one. Fails with INPUT_INVALID where a scattered value is no list. CWL v1.2 Workflow.html#WorkflowStep.
 */
export function scatterJobs(
  { scatter, scatterMethod }: Pick<WorkflowStep, "scatter" | "scatterMethod">,
  inputs: CwlObject,
): Scatter {
  if (scatter.length === 0) return { jobs: [{ inputs, index: [] }], shape: 0 };
  const method: ScatterMethod = scatterMethod ?? "dotproduct";
  return method === "dotproduct" ? alignLists(scatter, inputs) : crossLists(scatter, inputs, method);
}

function listOf(name: string, inputs: CwlObject): readonly CwlValue[] {
  const value = fieldOf(inputs, name) ?? null;
  if (isArray(value)) return value;
  throw new CwlFailure("INPUT_INVALID", `\`${name}\` is scattered over and must be a list, but is ${kindText(value)}`, {
    place: `in.${name}`,
  });
}

function alignLists(names: readonly string[], inputs: CwlObject): Scatter {
  const lists = names.map((name) => listOf(name, inputs));
  const lengths = new Set(lists.map(({ length }) => length));
  if (lengths.size > 1) {
    const shown = names.map((name, axis) => `\`${name}\` has ${lists[axis]?.length}`).join(", ");
    throw new CwlFailure("INPUT_INVALID", `lists that are scattered together must be of one length: ${shown}`, {
      place: "scatter",
    });
  }
  const jobs = Array.from({ length: lists[0]?.length ?? 0 }, (_, index) => {
    const elements = names.map((name, axis) => [name, lists[axis]?.[index] ?? null] as const);
    return { inputs: { ...inputs, ...Object.fromEntries(elements) }, index: [index] };
  });
  return { jobs, shape: jobs.map((_, number) => number) };
}

function crossLists(names: readonly string[], inputs: CwlObject, method: ScatterMethod): Scatter {
  const jobs: ScatterJob[] = [];
  const nested = crossFrom(names, { inputs, index: [] }, jobs);
  return { jobs, shape: method === "nested_crossproduct" ? nested : jobs.map((_, number) => number) };
}

/** Walks one axis after the other; a list within a list comes up when its input is scattered over twice. */
function crossFrom([name, ...rest]: readonly string[], around: ScatterJob, jobs: ScatterJob[]): GatherShape {
  if (name === undefined) return jobs.push(around) - 1;
  return listOf(name, around.inputs).map((element, index) => {
    const inputs = { ...around.inputs, ...Object.fromEntries([[name, element]]) };
    return crossFrom(rest, { inputs, index: [...around.index, index] }, jobs);
  });
}

/** The results of all jobs in the shape that the scatter has; `valueOf` gives that of a job. */
export function gatherResults(shape: GatherShape, valueOf: (job: number) => CwlValue): CwlValue {
  return typeof shape === "number" ? valueOf(shape) : shape.map((inner) => gatherResults(inner, valueOf));
}
