import type { CwlFailure } from "../../cwl-failure.ts";
import { bindInputs } from "../../files/bind-inputs.ts";
import type { FileAccess } from "../../files/file-access.ts";
import { fieldOf } from "../../files/value/value-kind.ts";
import type { CwlObject } from "../../model/cwl-value.ts";
import { attempt } from "../../attempt.ts";
import type { CompiledStep } from "../compile-network.ts";
import { linkedNames, sourceValue, type ElementNames, type Frame } from "../frame.ts";
import { sampleNames, type ScatterAxis } from "./sample-names.ts";
import { scatterJobs, type GatherShape, type Scatter } from "./scatter-jobs.ts";
import { declaredInputs, evaluateStepInputs, evaluateWhen, linkStepInputs } from "./step-inputs.ts";

/** What is to be done for one job of a step. */
export type JobDecision =
  | { readonly kind: "run"; readonly inputs: CwlObject; readonly inputNames: ElementNames }
  | { readonly kind: "skip" }
  | { readonly kind: "fail"; readonly failure: CwlFailure };

export interface ExpandedJob {
  readonly id: string;
  readonly index: readonly number[];
  readonly sampleId: string | undefined;
  readonly decision: JobDecision;
}

export interface ExpandedStep {
  readonly jobs: readonly ExpandedJob[];
  readonly shape: GatherShape;
  /** Of the elements of the step's outputs, where it is scattered and every job has one. */
  readonly names: readonly string[] | undefined;
}

/**
 * The jobs of a step whose sources are all there: links followed, scattered, expressions evaluated, the inputs of a
 * nested workflow bound. Changes nothing. A failure of the step as a whole rejects with a CwlFailure, one of a single job
 * is that job's decision.
 */
export async function expandStep(frame: Frame, compiled: CompiledStep, files: FileAccess): Promise<ExpandedStep> {
  const { cwlVersion } = frame.network.workflow;
  const inputs = await linkStepInputs(compiled, { files, cwlVersion, valueOf: (source) => sourceValue(frame, source) });
  const scatter = scatterJobs(compiled.step, inputs);
  const names = jobNames(frame, compiled, inputs, scatter);
  const jobs: ExpandedJob[] = [];
  for (const [number, job] of scatter.jobs.entries()) {
    const evaluated = () => evaluateStepInputs(compiled, job.inputs);
    const decision = await decideJob(frame, compiled, evaluated, files);
    jobs.push({
      id: callId(frame, compiled, job.index),
      index: job.index,
      sampleId: frame.sampleId ?? names[number],
      decision,
    });
  }
  const isList = compiled.step.scatter.length > 0 && compiled.step.scatterMethod !== "nested_crossproduct";
  const known = names.filter((name) => name !== undefined);
  return { jobs, shape: scatter.shape, names: isList && known.length === names.length ? known : undefined };
}

/** The same in every run of the same document with the same inputs. */
export function callId({ idPrefix }: Frame, { step }: CompiledStep, index: readonly number[]): string {
  return index.length === 0 ? idPrefix + step.id : `${idPrefix}${step.id}[${index.join(",")}]`;
}

function jobNames(
  frame: Frame,
  { step }: CompiledStep,
  inputs: CwlObject,
  scatter: Scatter,
): readonly (string | undefined)[] {
  const axes = step.scatter.map((name): ScatterAxis => {
    const link = step.in.find(({ id }) => id === name);
    return {
      input: name,
      names: link === undefined ? undefined : linkedNames(frame, link, fieldOf(inputs, name) ?? null),
    };
  });
  return axes.length === 0
    ? [undefined]
    : sampleNames(scatter, axes, step.scatterMethod !== undefined && step.scatterMethod !== "dotproduct");
}

/** What is to be done for a job whose inputs `inputsOf` gives, with all expressions of the step evaluated. */
export async function decideJob(
  frame: Frame,
  compiled: CompiledStep,
  inputsOf: () => Promise<CwlObject>,
  files: FileAccess,
): Promise<JobDecision> {
  const decided = await attempt<JobDecision>(async () => {
    const inputs = await inputsOf();
    if (!(await evaluateWhen(compiled, inputs))) return { kind: "skip" };
    const declared = declaredInputs(compiled, inputs);
    const inputNames = namesForNested(frame, compiled, declared);
    return { kind: "run", inputs: await bindNested(compiled, declared, files), inputNames };
  });
  return "failure" in decided ? { kind: "fail", failure: decided.failure } : decided.value;
}

/** A nested workflow starts with bound inputs; those of a tool are bound where it runs. */
async function bindNested({ step, nested }: CompiledStep, values: CwlObject, files: FileAccess): Promise<CwlObject> {
  if (nested === undefined) return values;
  const { evaluator, requirements } = nested;
  return bindInputs({ process: step.run, values, files, evaluator, requirements, discoverSecondaryFiles: false });
}

function namesForNested(frame: Frame, { step, nested }: CompiledStep, inputs: CwlObject): ElementNames {
  if (nested === undefined) return new Map();
  const changing = new Set([...step.scatter, ...(step.loop?.inputs ?? []).map(({ id }) => id)]);
  const plain = step.in.filter(({ id, valueFrom }) => valueFrom === undefined && !changing.has(id));
  const named = plain.map((input) => [input.id, linkedNames(frame, input, fieldOf(inputs, input.id) ?? null)] as const);
  return new Map(named.filter((entry): entry is readonly [string, readonly string[]] => entry[1] !== undefined));
}
