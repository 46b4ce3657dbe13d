/**
 * Loops: each iteration of a step gets its inputs from the previous iteration. Keeps only the inputs of an iteration, and its
 * outputs if the step collects the outputs of all iterations. Implements the extension `cwltool:Loop`
 * (extensions-v1.2.yml#Loop) and `loop` of CWL v1.3 Workflow.html#WorkflowStep.
 */
import { CwlFailure } from "../cwl-failure.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { LoopInput } from "../model/process.ts";
import type { CompiledStep } from "./compile-network.ts";
import { sourceValue, stepAt, type Frame, type StepState } from "./frame.ts";
import type { JobResults } from "./job-results.ts";
import { callId, decideJob, type ExpandedJob, type Expansion } from "./expand-step.ts";
import { linkValue, type LinkPlace } from "./step/link-value.ts";
import { evaluateStepInputs, linkStepInputs } from "./step/step-inputs.ts";

/**
 * The job of a looped step's next iteration, whose inputs are saved in the step's state; undefined if the
 * condition ends the loop. A failure is returned as the job's decision.
 */
export async function nextIteration(
  frame: Frame,
  step: number,
  context: IterationContext,
): Promise<ExpandedJob | undefined> {
  const { compiled, state } = stepAt(frame, step);
  const inputsOf = async () => {
    const inputs = await iterationInputs(frame, { compiled, state }, context);
    state.iterationInputs = inputs;
    return inputs;
  };
  const decision = await decideJob(frame, compiled, inputsOf, context.files);
  if (decision.kind === "skip") return undefined;
  const index = [state.iterations];
  return { id: callId(frame, compiled, index), index, sampleId: frame.sampleId, decision };
}

type IterationContext = Pick<Expansion, "files" | "limits">;

interface LoopedStep {
  readonly compiled: CompiledStep;
  readonly state: StepState;
}

async function iterationInputs(
  frame: Frame,
  { compiled, state }: LoopedStep,
  context: IterationContext,
): Promise<CwlObject> {
  const before = state.iterationInputs;
  if (before !== undefined)
    return { ...before, ...(await changedInputs(compiled, { before, results: state.results }, context)) };
  const { cwlVersion } = frame.network.workflow;
  const valueOf = (source: string) => sourceValue(frame, source);
  return evaluateStepInputs(compiled, await linkStepInputs(compiled, { ...context, cwlVersion, valueOf }));
}

/** The changed inputs of an iteration. Expressions see the outputs of the previous iteration in `self`, its inputs in `inputs`. */
async function changedInputs(
  { step, path, evaluator }: CompiledStep,
  { before: inputs, results }: { readonly before: CwlObject; readonly results: JobResults },
  { limits }: IterationContext,
): Promise<CwlObject> {
  const changed: [string, CwlValue][] = [];
  for (const input of step.loop?.inputs ?? []) {
    const place = `steps.${path}.loop.${input.id}`;
    const self = loopedValue(input, results, { place, limits });
    const { valueFrom } = input;
    changed.push([
      input.id,
      valueFrom === undefined
        ? self
        : await evaluator.evaluate(valueFrom, { inputs, self }, { place: `${place}.valueFrom` }),
    ]);
  }
  return Object.fromEntries(changed);
}

function loopedValue(input: LoopInput, results: JobResults, place: LinkPlace): CwlValue {
  const linked = linkValue(input, (output) => results.value(output, results.length - 1), place);
  if (linked instanceof CwlFailure) throw linked;
  return linked ?? input.default ?? null;
}
