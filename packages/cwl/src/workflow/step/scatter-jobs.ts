import { fieldOf } from "../../values/value-kind.ts";
import type { CwlObject, CwlValue } from "../../model/cwl-value.ts";
import type { WorkflowStep } from "../../model/process.ts";
import { requireList, type ScatterSize } from "./scatter-size.ts";

type ScatteredStep = Pick<WorkflowStep, "scatter" | "scatterMethod">;

/** The structure in which results of jobs are gathered: the number of a job, or a list of such shapes. */
export type GatherShape = number | readonly GatherShape[];

/** One combination of elements. */
export interface ScatterJob {
  /** The element on each scattered axis; empty for a step that is not scattered. */
  readonly elements: readonly CwlValue[];
  /** The job's index on each scattered axis. */
  readonly index: readonly number[];
}

/**
 * The jobs of a step, one for each combination of elements according to its scatter method; a step without scatter has one
 * job. Creates them one by one, in the order of the numbers in the shape. Check the size of the scatter first.
 * CWL v1.2 Workflow.html#WorkflowStep.
 */
export function scatterJobs(step: ScatteredStep, { jobs }: ScatterSize, inputs: CwlObject): Iterable<ScatterJob> {
  // A crossproduct with an empty last list has no jobs, but walking it could take forever.
  if (jobs === 0) return [];
  return isCrossed(step) ? crossLists(step.scatter, inputs) : alignLists(step.scatter, jobs, inputs);
}

/** The inputs of one job. */
export function inputsOfJob({ scatter }: ScatteredStep, { elements }: ScatterJob, inputs: CwlObject): CwlObject {
  if (scatter.length === 0) return inputs;
  return { ...inputs, ...Object.fromEntries(scatter.map((name, axis) => [name, elements[axis] ?? null])) };
}

/** The structure in which a step gathers its results. */
export function gatherShape(step: ScatteredStep, { jobs }: ScatterSize, inputs: CwlObject): GatherShape {
  if (step.scatter.length === 0) return 0;
  if (step.scatterMethod !== "nested_crossproduct") return Array.from({ length: jobs }, (_, number) => number);
  let last = 0;
  const nest = ([name, ...rest]: readonly string[], outer: CwlObject): GatherShape =>
    name === undefined
      ? last++
      : listOf(name, outer).map((element) => nest(rest, { ...outer, ...Object.fromEntries([[name, element]]) }));
  return nest(step.scatter, Object.fromEntries(step.scatter.map((name) => [name, fieldOf(inputs, name) ?? null])));
}

/** The results of all jobs in the shape of the scatter; `valueOf` returns the result of one job. */
export function gatherResults(shape: GatherShape, valueOf: (job: number) => CwlValue): CwlValue {
  return typeof shape === "number" ? valueOf(shape) : shape.map((inner) => gatherResults(inner, valueOf));
}

export function isCrossed({ scatterMethod }: ScatteredStep): boolean {
  return scatterMethod !== undefined && scatterMethod !== "dotproduct";
}

function* alignLists(names: readonly string[], jobs: number, inputs: CwlObject): Iterable<ScatterJob> {
  const lists = names.map((name) => listOf(name, inputs));
  for (let job = 0; job < jobs; job++)
    yield names.length === 0
      ? { elements: [], index: [] }
      : { elements: lists.map((list) => list[job] ?? null), index: [job] };
}

/** Walks one axis after the other; an input that is scattered twice is a list of lists. */
function* crossLists(
  [name, ...rest]: readonly string[],
  inputs: CwlObject,
  outer: ScatterJob = { elements: [], index: [] },
): Iterable<ScatterJob> {
  if (name === undefined) return yield outer;
  for (const [at, element] of listOf(name, inputs).entries()) {
    const job = { elements: [...outer.elements, element], index: [...outer.index, at] };
    if (rest.length === 0) yield job;
    else
      yield* crossLists(
        rest,
        rest.includes(name) ? { ...inputs, ...Object.fromEntries([[name, element]]) } : inputs,
        job,
      );
  }
}

function listOf(name: string, inputs: CwlObject): readonly CwlValue[] {
  return requireList(name, fieldOf(inputs, name) ?? null);
}
