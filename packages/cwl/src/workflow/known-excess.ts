import { CwlFailure } from "../cwl-failure.ts";
import { fieldOf, isArray } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { Process, StepInput, Workflow, WorkflowStep } from "../model/process.ts";
import { requireJobsOfRun, requireScatterSize, scatterSize, type ScatterSize } from "./step/scatter-size.ts";

/** The failure of a scatter that has too many jobs because of lists in the run's inputs. */
export interface KnownExcess {
  /** The run's input with the longest of its lists. */
  readonly input: string;
  readonly failure: CwlFailure;
}

/** A value and the run's input that it comes from. */
interface Known {
  readonly value: CwlValue;
  readonly input: string;
}

type KnownValues = ReadonlyMap<string, Known>;

/**
 * Finds a scatter with too many jobs before anything runs, from the lengths of the lists in the inputs: in steps that
 * scatter over inputs, and in nested workflows that receive them. It reads only the lengths of lists, so it can run before
 * the check of the inputs.
 */
export function knownExcess(process: Process, inputs: CwlObject, limits: CwlLimits): KnownExcess | undefined {
  if (process.class !== "Workflow") return undefined;
  const values = process.inputs.map(({ id, default: value }) => {
    return [id, { value: fieldOf(inputs, id) ?? value ?? null, input: id }] as const;
  });
  try {
    countJobs(process, new Map(values), { limits, before: 0 });
  } catch (error) {
    if (error instanceof Excess) return error;
    throw error;
  }
  return undefined;
}

class Excess extends Error implements KnownExcess {
  readonly input: string;
  readonly failure: CwlFailure;

  constructor(input: string, failure: CwlFailure) {
    super(failure.message);
    this.input = input;
    this.failure = failure;
  }
}

interface Counting {
  readonly limits: CwlLimits;
  /** Jobs counted so far. */
  readonly before: number;
}

/** Counts the known jobs, including those of nested workflows. Throws Excess. */
function countJobs(workflow: Workflow, values: KnownValues, { limits, before }: Counting): number {
  let jobs = 0;
  for (const step of workflow.steps) {
    const linked = new Map(step.in.flatMap((input) => linkedValue(input, values)));
    const size = step.loop === undefined ? sizeOf(step, linked) : undefined;
    if (size === undefined) continue;
    requireFew(step, linked, () => requireScatterSize(size, limits, step.id));
    const inner = step.when === undefined && size.jobs > 0 ? jobsInside(step, linked, limits) : 0;
    jobs += size.jobs * (1 + inner);
    requireFew(step, linked, () => requireJobsOfRun(before + jobs, limits, step.id));
  }
  return jobs;
}

/** The number of jobs in each execution of a step that runs a workflow; 0 for other steps. */
function jobsInside(step: WorkflowStep, linked: KnownValues, limits: CwlLimits): number {
  if (step.run.class !== "Workflow") return 0;
  const isWhole = ({ id, valueFrom }: StepInput) => valueFrom === undefined && !step.scatter.includes(id);
  const whole = step.in.filter(isWhole).flatMap(({ id }) => {
    const known = linked.get(id);
    return known === undefined ? [] : [[id, known] as const];
  });
  return countJobs(step.run, new Map(whole), { limits, before: 0 });
}

function linkedValue(input: StepInput, values: KnownValues): readonly (readonly [string, Known])[] {
  const [source, ...others] = input.source;
  const known = source === undefined || others.length > 0 ? undefined : values.get(source);
  if (known === undefined || input.linkMerge !== undefined || input.pickValue !== undefined) return [];
  return [[input.id, { ...known, value: known.value ?? input.default ?? null }]];
}

/** The size of a scatter; undefined if it is unknown, or if the lists do not match, which the step itself reports. */
function sizeOf(step: WorkflowStep, linked: KnownValues): ScatterSize | undefined {
  if (step.scatter.some((name) => !linked.has(name))) return undefined;
  try {
    return scatterSize(step, (name) => linked.get(name)?.value ?? null);
  } catch (error) {
    if (error instanceof CwlFailure) return undefined;
    throw error;
  }
}

function requireFew(step: WorkflowStep, linked: KnownValues, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof CwlFailure)) throw error;
    const scattered = step.scatter.flatMap((name) => linked.get(name) ?? []);
    const longest = (scattered.length > 0 ? scattered : [...linked.values()]).toSorted(
      (one, other) => lengthOf(other.value) - lengthOf(one.value),
    )[0];
    throw new Excess(longest?.input ?? "", error);
  }
}

function lengthOf(value: CwlValue): number {
  return isArray(value) ? value.length : 0;
}
