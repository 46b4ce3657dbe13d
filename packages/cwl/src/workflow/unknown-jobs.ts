import { selectVariables } from "../expression/select-variables.ts";
import type { StepInput, Workflow, WorkflowStep } from "../model/process.ts";
import { sourceStep } from "./compile-network.ts";
import type { StepSize } from "./step-sizes.ts";

type Sizes = ReadonlyMap<string, StepSize>;

interface Around {
  readonly sizes: Sizes;
  /** Of the step that runs this workflow: empty, or `outer/`. */
  readonly prefix: string;
  /** Why that step's own jobs are not known. */
  readonly reasons: readonly string[];
}

/**
 * Why the jobs of steps cannot be known yet, by the path of the step, one sentence per reason. `sizes` are those of a
 * network that has just been started: none of its calls has ended. Steps whose jobs are all known are left out.
 */
export function unknownJobs(workflow: Workflow, sizes: Sizes): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  addUnknown(workflow, { sizes, prefix: "", reasons: [] }, found);
  return found;
}

function addUnknown(workflow: Workflow, around: Around, found: Map<string, readonly string[]>): void {
  for (const step of workflow.steps) {
    const path = around.prefix + step.id;
    const size = around.sizes.get(path);
    const reasons = size === undefined || size.isFinal ? [] : reasonsFor(step, around);
    if (reasons.length > 0) found.set(path, reasons);
    if (step.run.class === "Workflow") addUnknown(step.run, { ...around, prefix: `${path}/`, reasons }, found);
  }
}

function reasonsFor(step: WorkflowStep, around: Around): readonly string[] {
  const own = step.in.flatMap((input) => reasonsForInput(step, input, around));
  if (own.length > 0) return own;
  if (step.loop !== undefined) return ["a loop: how often it runs depends on what its iterations give"];
  return around.reasons;
}

function reasonsForInput(step: WorkflowStep, input: StepInput, { sizes, prefix }: Around): readonly string[] {
  return input.source.flatMap((source) => {
    const earlier = sourceStep(source);
    if (earlier === undefined || hasEnded(sizes.get(prefix + earlier))) return [];
    const output = `the output \`${source.slice(earlier.length + 1)}\` of step ${prefix}${earlier}`;
    if (step.scatter.includes(input.id)) return [`how many jobs it has depends on ${output}`];
    return [decides(step, input) ? `\`when\` depends on ${output}` : `waits for ${output}`];
  });
}

/** A step that has no job to run has ended as soon as that is known. */
function hasEnded(size: StepSize | undefined): boolean {
  return size?.isFinal === true && size.jobs === size.skipped;
}

function decides({ when }: WorkflowStep, { id }: StepInput): boolean {
  if (when === undefined) return false;
  const { inputs } = selectVariables([when], { inputs: { [id]: true } });
  return inputs !== undefined && Object.keys(inputs as object).length > 0; // an object was given
}
