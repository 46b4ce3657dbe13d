/**
 * Prepares a workflow once, however often it is executed: the dependencies of its steps, the requirements in effect at each
 * step, and the same for nested workflows. Also contains the counters of steps, which count over all executions of a
 * nested workflow.
 */
import type { Evaluator } from "../expression/evaluate.ts";
import type { CwlVersion } from "../model/cwl-version.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import { sourceStep, type Workflow, type WorkflowStep } from "../model/process.ts";

export interface CompiledNetwork {
  readonly workflow: Workflow;
  readonly requirements: RequirementSet;
  readonly evaluator: Evaluator;
  /** The steps in document order. */
  readonly steps: readonly CompiledStep[];
  /** Path of the step that runs this workflow, empty for the outermost. */
  readonly path: string;
  /** Executions of this workflow so far. */
  frames: number;
}

export interface CompiledStep {
  readonly step: WorkflowStep;
  /** `outer/inner`. */
  readonly path: string;
  /** The evaluator for the step's own expressions (`valueFrom`, `when`). */
  readonly evaluator: Evaluator;
  /** The requirements in effect for the process that the step runs. */
  readonly requirements: RequirementSet;
  /** Numbers of the steps that this one waits for, and of those that wait for it. */
  readonly dependencies: readonly number[];
  readonly dependents: number[];
  /** The nested network; undefined unless the step runs a workflow. */
  readonly nested: CompiledNetwork | undefined;
  readonly size: StepCounter;
}

interface StepCounter {
  /** Jobs known so far. */
  jobs: number;
  /** Known jobs that have not been created yet. */
  unmade: number;
  skipped: number;
  /** Executions of the workflow in which this step's jobs are known. */
  expanded: number;
  blocked: number;
}

/** Creates the evaluator for expressions of a workflow that is written for a version of CWL. */
export type EvaluatorFor = (requirements: RequirementSet, cwlVersion: CwlVersion) => Evaluator;

interface CompileOptions {
  /** Requirements from outside the workflow, to which its own are added. */
  readonly requirements: RequirementSet;
  readonly evaluatorFor: EvaluatorFor;
}

export function compileNetwork(
  workflow: Workflow,
  { requirements, evaluatorFor }: CompileOptions,
  path = "",
): CompiledNetwork {
  const own = requirements.enter(workflow);
  const numbers = new Map(workflow.steps.map(({ id }, number) => [id, number]));
  const { cwlVersion } = workflow;
  const context = { requirements: own, evaluatorFor, cwlVersion, numbers, path };
  const steps = workflow.steps.map((step) => compileStep(step, context));
  for (const [number, { dependencies }] of steps.entries())
    for (const earlier of dependencies) steps[earlier]?.dependents.push(number);
  return { workflow, requirements: own, evaluator: evaluatorFor(own, cwlVersion), steps, path, frames: 0 };
}

interface StepOptions extends CompileOptions {
  readonly cwlVersion: CwlVersion;
  readonly numbers: ReadonlyMap<string, number>;
  readonly path: string;
}

function compileStep(step: WorkflowStep, context: StepOptions): CompiledStep {
  const { requirements, evaluatorFor, cwlVersion, numbers, path } = context;
  const atStep = requirements.enter(step);
  const stepPath = path === "" ? step.id : `${path}/${step.id}`;
  const { run } = step;
  return {
    step,
    path: stepPath,
    evaluator: evaluatorFor(atStep, cwlVersion),
    requirements: atStep.enter(run),
    dependencies: dependenciesOf(step, numbers),
    dependents: [],
    nested:
      run.class === "Workflow" ? compileNetwork(run, { requirements: atStep, evaluatorFor }, stepPath) : undefined,
    size: { jobs: 0, unmade: 0, skipped: 0, expanded: 0, blocked: 0 },
  };
}

function dependenciesOf(step: WorkflowStep, numbers: ReadonlyMap<string, number>): readonly number[] {
  const sources = step.in.flatMap(({ source }) => source);
  const found = sources.map((source) => numbers.get(sourceStep(source) ?? ""));
  return [...new Set(found.filter((number) => number !== undefined))];
}
