import { selectVariables } from "../expression/select-variables.ts";
import { sourceStep, type StepInput, type Workflow, type WorkflowStep } from "../model/process.ts";
import type { StepSize } from "./step-sizes.ts";

type Sizes = ReadonlyMap<string, StepSize>;
/** The number of ended calls, by path of the step. */
type Ended = ReadonlyMap<string, number>;

interface Outer {
  /** The steps of the workflow. */
  readonly steps: readonly WorkflowStep[];
  readonly sizes: Sizes;
  readonly ended: Ended;
  /** Path prefix of its steps: empty, or `outer/` for the step that runs this workflow. */
  readonly prefix: string;
  /** Why the jobs of the enclosing step are not known. */
  readonly reasons: readonly string[];
}

/**
 * The reasons why the jobs of steps are not known yet, as sentences, by the path of the step. `sizes` are the step sizes of
 * the network after the calls in `ended`. Omits steps whose jobs are all known.
 */
export function unknownJobs(
  workflow: Workflow,
  sizes: Sizes,
  ended: Ended = new Map(),
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  addUnknown(workflow, { steps: workflow.steps, sizes, ended, prefix: "", reasons: [] }, found);
  return found;
}

function addUnknown(workflow: Workflow, outer: Outer, found: Map<string, readonly string[]>): void {
  for (const step of workflow.steps) {
    const path = outer.prefix + step.id;
    const size = outer.sizes.get(path);
    const reasons = size === undefined || size.isFinal ? [] : reasonsFor(step, outer);
    if (reasons.length > 0) found.set(path, reasons);
    if (step.run.class === "Workflow") {
      const { steps } = step.run;
      addUnknown(step.run, { ...outer, steps, prefix: `${path}/`, reasons }, found);
    }
  }
}

function reasonsFor(step: WorkflowStep, outer: Outer): readonly string[] {
  const own = step.in.flatMap((input) => reasonsForInput(step, input, outer));
  if (own.length > 0) return own;
  if (step.loop !== undefined) return ["a loop: the number of iterations depends on their results"];
  return outer.reasons.length > 0 ? outer.reasons : ["the run determines its jobs as earlier ones end"];
}

function reasonsForInput(step: WorkflowStep, input: StepInput, outer: Outer): readonly string[] {
  const { steps, prefix } = outer;
  return input.source.flatMap((source) => {
    const earlier = sourceStep(source);
    if (
      earlier === undefined ||
      hasEnded(
        steps.find(({ id }) => id === earlier),
        outer,
      )
    )
      return [];
    const output = `the output \`${source.slice(earlier.length + 1)}\` of step ${prefix}${earlier}`;
    if (step.scatter.includes(input.id)) return [`the number of jobs depends on ${output}`];
    return [decides(step, input) ? `\`when\` depends on ${output}` : `waits for ${output}`];
  });
}

/** True if all calls of a step have ended; a step without jobs has ended once this is known. */
function hasEnded(
  step: WorkflowStep | undefined,
  { sizes, ended, prefix }: Pick<Outer, "sizes" | "ended" | "prefix">,
): boolean {
  if (step === undefined) return false;
  const path = prefix + step.id;
  const size = sizes.get(path);
  if (size?.isFinal !== true) return false;
  if (size.jobs === size.skipped) return true;
  if (step.run.class !== "Workflow") return size.jobs === size.skipped + (ended.get(path) ?? 0);
  return step.run.steps.every((inner) => hasEnded(inner, { sizes, ended, prefix: `${path}/` }));
}

function decides({ when }: WorkflowStep, { id }: StepInput): boolean {
  if (when === undefined) return false;
  const { inputs } = selectVariables([when], { inputs: { [id]: true } });
  return inputs !== undefined && Object.keys(inputs as object).length > 0; // an object was given
}
