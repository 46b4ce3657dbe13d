import type { CwlType } from "../model/cwl-type.ts";
import type { InputParameter, OutputParameter, Process, StepInput, Workflow, WorkflowStep } from "../model/process.ts";
import type { Requirement } from "../model/requirement.ts";
import { newInput } from "./select-targets.ts";

/** A workflow of one step: its links become inputs, its outputs those of the workflow; undefined if it is missing. */
export function selectStep(workflow: Workflow, name: string): Workflow | undefined {
  const step = workflow.steps.find(({ id }) => id === name);
  if (step === undefined) return undefined;
  const linked = step.in.filter(({ source }) => source.length > 0);
  return {
    ...workflow,
    inputs: linked.map((input) => inputOf(input, step)),
    outputs: step.out.map((id) => outputOf(id, step)),
    steps: [{ ...step, in: step.in.map(relinked) }],
  };
}

/** The process of a step, with the requirements and hints of the step and the workflow; undefined if it is missing. */
export function selectProcess(workflow: Workflow, name: string): Process | undefined {
  const step = workflow.steps.find(({ id }) => id === name);
  if (step === undefined) return undefined;
  const { run } = step;
  return {
    ...run,
    requirements: nearest([workflow.requirements, step.requirements, run.requirements]),
    hints: nearest([workflow.hints, step.hints, run.hints]),
  };
}

function inputOf({ id, position, ...input }: StepInput, { run, scatter }: WorkflowStep): InputParameter {
  const declared = run.inputs.find((parameter) => parameter.id === id);
  const type: CwlType = declared?.type ?? { kind: "Any" };
  const isComputed = input.valueFrom !== undefined || declared === undefined;
  const own: CwlType = isComputed ? { kind: "union", options: [{ kind: "null" }, { kind: "Any" }] } : type;
  const parameter = newInput(id, scatter.includes(id) ? { kind: "array", items: own } : own, position);
  const value = input.default ?? declared?.default;
  return value === undefined ? parameter : { ...parameter, default: value };
}

function outputOf(id: string, step: WorkflowStep): OutputParameter {
  return {
    id,
    type: { kind: "union", options: [{ kind: "null" }, { kind: "Any" }] },
    secondaryFiles: [],
    streamable: false,
    outputSource: { source: [`${step.id}/${id}`], sourceIsList: false },
    position: step.position,
  };
}

function relinked({ linkMerge: _merge, pickValue: _pick, ...input }: StepInput): StepInput {
  return input.source.length === 0 ? input : { ...input, source: [input.id], sourceIsList: false };
}

/** The last requirement of each class. */
function nearest(scopes: readonly (readonly Requirement[])[]): readonly Requirement[] {
  const all = scopes.flat();
  const last = new Map(all.map((requirement) => [classOf(requirement), requirement]));
  return [...last.values()];
}

function classOf(requirement: Requirement): string {
  return requirement.class === "unknown" ? requirement.name : requirement.class;
}
