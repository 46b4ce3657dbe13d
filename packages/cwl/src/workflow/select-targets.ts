import type { CwlType } from "../model/cwl-type.ts";
import {
  sourceStep,
  type InputParameter,
  type OutputParameter,
  type StepInput,
  type Workflow,
  type WorkflowStep,
} from "../model/process.ts";

/** The selected part of a workflow, or the targets that are neither inputs, steps nor outputs. */
export type TargetSelection =
  | { readonly kind: "selected"; readonly workflow: Workflow }
  | { readonly kind: "unknown"; readonly names: readonly string[] };

/**
 * The part of a workflow that a set of targets needs: for an output, the steps before it; for a step or an input, the
 * steps after it. A link from a step that is left out becomes an input, `step_output`.
 */
export function selectTargets(workflow: Workflow, targets: readonly string[]): TargetSelection {
  const kinds = targets.map((name) => ({ name, kind: kindOf(workflow, name) }));
  const unknown = kinds.filter(({ kind }) => kind === undefined);
  if (unknown.length > 0) return { kind: "unknown", names: unknown.map(({ name }) => name) };
  const namesOf = (target: TargetKind) => kinds.flatMap(({ name, kind }) => (kind === target ? [name] : []));
  const named = new Set(namesOf("output"));
  const outputs = workflow.outputs.filter(({ id }) => named.has(id));
  const before = stepsBefore(workflow, outputs.flatMap(sourcesOf));
  const after = stepsAfter(workflow, namesOf("step"), namesOf("input"));
  const isNeeded = (output: OutputParameter) =>
    named.has(output.id) || sourcesOf(output).some((source) => after.has(sourceStep(source) ?? ""));
  const steps = workflow.steps.filter(({ id }) => before.has(id) || after.has(id));
  return { kind: "selected", workflow: cutOut(workflow, steps, workflow.outputs.filter(isNeeded)) };
}

type TargetKind = "output" | "step" | "input";

function kindOf({ outputs, steps, inputs }: Workflow, name: string): TargetKind | undefined {
  if (outputs.some(({ id }) => id === name)) return "output";
  if (steps.some(({ id }) => id === name)) return "step";
  return inputs.some(({ id }) => id === name) ? "input" : undefined;
}

function sourcesOf({ outputSource }: OutputParameter): readonly string[] {
  return outputSource?.source ?? [];
}

function stepSources({ in: inputs }: WorkflowStep): readonly string[] {
  return inputs.flatMap(({ source }) => source);
}

/** The steps of sources, and all steps that these need. */
export function stepsBefore({ steps }: Workflow, sources: readonly string[]): ReadonlySet<string> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const found = new Set<string>();
  const open = [...sources];
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    const step = byId.get(sourceStep(source) ?? "");
    if (step === undefined || found.has(step.id)) continue;
    found.add(step.id);
    open.push(...stepSources(step));
  }
  return found;
}

/** Some steps, and all steps that need them or some inputs. */
export function stepsAfter(
  { steps }: Workflow,
  first: Iterable<string>,
  inputs: Iterable<string> = [],
): ReadonlySet<string> {
  const found = new Set(first);
  const reached = new Set(inputs);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const step of steps)
      if (stepSources(step).some((source) => reached.has(source) || found.has(sourceStep(source) ?? "")))
        found.add(step.id);
  }
  return found;
}

/** The workflow reduced to some steps and outputs, and the inputs that they use. */
function cutOut(workflow: Workflow, steps: readonly WorkflowStep[], outputs: readonly OutputParameter[]): Workflow {
  const kept = new Set(steps.map(({ id }) => id));
  const added = new Map<string, InputParameter>();
  const rename = (source: string): string => {
    const step = sourceStep(source);
    if (step === undefined || kept.has(step)) return source;
    const input = inputFor(source, workflow);
    added.set(input.id, input);
    return input.id;
  };
  const link = (input: StepInput): StepInput => ({ ...input, source: input.source.map(rename) });
  const linked = steps.map((step) => ({ ...step, in: step.in.map(link) }));
  const used = new Set([...linked.flatMap(stepSources), ...outputs.flatMap(sourcesOf)]);
  const inputs = [...workflow.inputs.filter(({ id }) => used.has(id)), ...added.values()];
  return { ...workflow, inputs, outputs, steps: linked };
}

/** An input that replaces the output of an omitted step. */
function inputFor(source: string, { steps, inputs, position }: Workflow): InputParameter {
  const stepId = sourceStep(source) ?? "";
  const output = source.slice(stepId.length + 1);
  const step = steps.find(({ id }) => id === stepId);
  const type = step?.run.outputs.find(({ id }) => id === output)?.type ?? { kind: "Any" };
  const name = `${stepId}_${output}`;
  const id = inputs.some((input) => input.id === name) ? `${name}_` : name;
  return newInput(id, step === undefined ? type : scattered(type, step), position);
}

export function newInput(id: string, type: CwlType, position: InputParameter["position"]): InputParameter {
  return { id, type, secondaryFiles: [], streamable: false, loadContents: false, position };
}

/** The type of a step's output, from the type of the output of its process. */
function scattered(type: CwlType, { scatter, scatterMethod }: WorkflowStep): CwlType {
  const depth = scatter.length === 0 ? 0 : scatterMethod === "nested_crossproduct" ? scatter.length : 1;
  return Array.from({ length: depth }).reduce<CwlType>((items) => ({ kind: "array", items }), type);
}
