import type { GiveWay } from "../give-way.ts";
import type { CwlFailure } from "../cwl-failure.ts";
import { bindInputs } from "../files/bind-inputs.ts";
import type { FileAccess } from "../files/file-access.ts";
import { fieldOf } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { attempt } from "../attempt.ts";
import { lostElements } from "./block-dependents.ts";
import type { CompiledStep } from "./compile-network.ts";
import { linkedNames, sourceValue, type ElementNames, type Frame } from "./frame.ts";
import { sampleNames, type NamedScatter, type ScatterAxis } from "./step/sample-names.ts";
import {
  gatherShape,
  inputsOfJob,
  isCrossed,
  scatterJobs,
  type GatherShape,
  type ScatterJob,
} from "./step/scatter-jobs.ts";
import { requireJobsOfRun, requireScatterSize, scatterSize } from "./step/scatter-size.ts";
import { declaredInputs, evaluateStepInputs, evaluateWhen, linkStepInputs } from "./step/step-inputs.ts";

/** The decision about one job of a step. */
export type JobDecision =
  | { readonly kind: "run"; readonly inputs: CwlObject; readonly inputNames: ElementNames }
  | { readonly kind: "skip" }
  /** The job cannot run, because the job that produces its element failed. */
  | { readonly kind: "lost" }
  | { readonly kind: "fail"; readonly failure: CwlFailure };

export interface ExpandedJob {
  readonly id: string;
  readonly index: readonly number[];
  readonly sampleId: string | undefined;
  readonly decision: JobDecision;
}

export interface ExpandedStep {
  /** Number of jobs. */
  readonly jobs: number;
  /** Creates the next job, in the order of the numbers in `shape`; undefined after the last. */
  readonly next: () => Promise<ExpandedJob | undefined>;
  readonly shape: GatherShape;
  /** Names of the elements of the step's outputs, if the step is scattered and every job has one. */
  readonly names: readonly string[] | undefined;
}

const LOST: JobDecision = { kind: "lost" };

/** Options for expanding a step. */
export interface Expansion {
  readonly files: FileAccess;
  readonly limits: CwlLimits;
  /** Jobs of the run so far. */
  readonly jobs: number;
  readonly giveWay: GiveWay;
}

/**
 * The jobs of a step whose sources are all available. Counts the jobs immediately and creates them one by one on demand:
 * evaluates expressions and binds the inputs of a nested workflow. Rejects with a CwlFailure if the step fails as a whole;
 * the failure of a single job is part of that job's decision.
 */
export async function expandStep(frame: Frame, compiled: CompiledStep, expansion: Expansion): Promise<ExpandedStep> {
  const { step, path } = compiled;
  const { files, limits, giveWay } = expansion;
  const { cwlVersion } = frame.network.workflow;
  const valueOf = (source: string) => sourceValue(frame, source);
  const inputs = await linkStepInputs(compiled, { files, limits, cwlVersion, valueOf });
  const size = scatterSize(step, (input) => fieldOf(inputs, input) ?? null);
  requireScatterSize(size, limits, `steps.${path}`);
  requireJobsOfRun(expansion.jobs + size.jobs, limits, `steps.${path}`);
  const scattered = () => scatterJobs(step, size, inputs);
  const names = await jobNames(scattered, {
    axes: axesOf(frame, compiled, inputs),
    isCrossed: isCrossed(step),
    giveWay,
  });
  const lost = lostElements(frame, step);
  const jobs = scattered()[Symbol.iterator]();
  let created = 0;
  const next = async (): Promise<ExpandedJob | undefined> => {
    const { done, value: job } = jobs.next();
    if (done === true) return undefined;
    const isLost = lost.has(created);
    const sampleId = frame.sampleId ?? names[created];
    created++;
    const evaluated = () => evaluateStepInputs(compiled, inputsOfJob(step, job, inputs));
    const decision = isLost ? LOST : await decideJob(frame, compiled, evaluated, files);
    const { index } = job;
    return { id: callId(frame, compiled, index), index, sampleId, decision };
  };
  const isList = step.scatter.length > 0 && step.scatterMethod !== "nested_crossproduct";
  const known = names.filter((name) => name !== undefined);
  const shape = gatherShape(step, size, inputs);
  return { jobs: size.jobs, next, shape, names: isList && known.length === names.length ? known : undefined };
}

/** The id of a call, which is equal in all runs of a document with equal inputs. */
export function callId({ idPrefix }: Frame, { step }: CompiledStep, index: readonly number[]): string {
  return index.length === 0 ? idPrefix + step.id : `${idPrefix}${step.id}[${index.join(",")}]`;
}

async function jobNames(
  jobs: () => Iterable<ScatterJob>,
  scatter: NamedScatter,
): Promise<readonly (string | undefined)[]> {
  return scatter.axes.length === 0 ? [undefined] : sampleNames(jobs, scatter);
}

function axesOf(frame: Frame, { step }: CompiledStep, inputs: CwlObject): readonly ScatterAxis[] {
  return step.scatter.map((input) => {
    const link = step.in.find(({ id }) => id === input);
    const names = link === undefined ? undefined : linkedNames(frame, link, fieldOf(inputs, input) ?? null);
    return { input, names };
  });
}

/** Decides about a job with the inputs that `inputsOf` returns. Evaluates all expressions of the step. */
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

/** Binds the inputs of a nested workflow; the inputs of a tool are bound where the tool runs. */
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
