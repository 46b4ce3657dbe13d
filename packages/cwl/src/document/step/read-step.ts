import type { CwlType } from "../../model/cwl-type.ts";
import type { Process, StepInput, StepLoop, WorkflowStep, InputParameter, Operation } from "../../model/process.ts";
import type { Requirement } from "../../model/requirement.ts";
import { DESCRIPTION, ID } from "../fields/description-fields.ts";
import { listOf, listOrMap, oneOrList } from "../fields/collection-readers.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required, type FieldValues } from "../fields/read-fields.ts";
import { within, type Reader } from "../fields/scope.ts";
import { expression, text, word, wrongKind } from "../fields/scalar-readers.ts";
import { fragmentOf, resolveReference, shortName, withoutFragment } from "../../values/resolve-reference.ts";
import { positionOf, textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { INPUT_BINDING, LOADING } from "../type/read-binding.ts";
import { LINK, readLink } from "./read-link.ts";
import { isLoop, readHints, readRequirement } from "../requirement/read-requirement.ts";
import { LOOP_FIELDS, readLoopRequirement, readStepLoop, type LoopRequirement } from "./read-step-loop.ts";
import { checkDefault, readDefault, type WrittenDefault } from "../type/read-default.ts";

const outputName: Reader<string> = (node, scope) => {
  if (node.kind !== "mapping") return text(node, scope);
  return readFields(node, { id: required(text) }, scope).id;
};

/** Reads the requirements of a step, which may also include the requirement for loops. */
const stepRequirements: Reader<readonly (Requirement | LoopRequirement)[], LoadScope> = listOrMap({
  of: "requirement",
  subject: "class",
  readItem: (node: MappingNode, scope: LoadScope) =>
    isLoop(node, scope) ? readLoopRequirement(node, scope) : readRequirement(node, scope, "error"),
});

export const STEP = {
  ...LOOP_FIELDS,
  id: ID,
  ...DESCRIPTION,
  in: required(
    listOrMap({ of: "stepInput", subject: "id", predicate: "source", readItem: readStepInput }),
    "The inputs of the step and where their values come from.",
  ),
  out: required(listOf(outputName), "The outputs that other steps may use as `step/output`.", {
    type: "list of names",
    value: "output-name",
  }),
  run: required(readRun, "What the step runs: a file, `#id`, or a process in place.", {
    type: "reference or process",
    value: "run",
    of: "process",
  }),
  requirements: optional(stepRequirements, "What a runner must provide for this step."),
  hints: optional(readHints, "What a runner may provide for this step."),
  scatter: optional(oneOrList(text), "Inputs that hold lists: the step runs once for each element.", {
    type: "name or list",
    value: "scatter",
  }),
  scatterMethod: optional(
    word("dotproduct", "nested_crossproduct", "flat_crossproduct"),
    "How several scattered inputs are combined.",
  ),
  when: optional(expression, "The step runs only if this is true.", { since: "v1.2" }),
};

/**
 * A step of a workflow, with the process that it runs. If that process cannot be loaded, an Operation with the shape of
 * the step replaces it, so that the rest of the workflow can be shown and checked.
 */
export function readStep(node: MappingNode, scope: LoadScope): WorkflowStep | undefined {
  const values = readFields(node, STEP, scope);
  const {
    id,
    in: inputs = [],
    out = [],
    run,
    requirements = [],
    hints = [],
    scatter = [],
    loop: _,
    outputMethod: __,
    when,
    ...rest
  } = values;
  if (id === undefined) return undefined;
  const shape = { id: shortName(id), in: inputs.map(({ input }) => input), out: out.map(shortName) };
  const loop = readLoop(node, values, scope);
  const runReference = textEntry(node, "run");
  const step: WorkflowStep = {
    ...omitUndefined({ ...rest, runReference, loop, when: loop === undefined ? when : undefined }),
    ...shape,
    run: run ?? placeholderProcess(shape, node, scope),
    requirements: requirements.filter((requirement) => requirement.class !== "Loop"),
    hints,
    scatter: scatter.map(shortName),
    position: positionOf(node),
  };
  scope.nodes.set(step, node);
  checkStepDefaults(step, inputs, scope);
  return step;
}

type StepValues = FieldValues<typeof STEP>;

function readLoop(node: MappingNode, values: StepValues, scope: LoadScope): StepLoop | undefined {
  const { id = "", when, loop, outputMethod, scatter = [], requirements = [] } = values;
  const step = {
    id: shortName(id),
    inputs: values.in?.map(({ input }) => input.id) ?? [],
    outputs: values.out?.map(shortName) ?? [],
    requirement: requirements.find((requirement) => requirement.class === "Loop"),
  };
  return readStepLoop({ ...step, node, scatter, when, loop, outputMethod }, scope);
}

export const STEP_INPUT = {
  ...LINK,
  id: ID,
  label: { ...DESCRIPTION.label, since: "v1.1" as const },
  default: optional(readDefault),
  valueFrom: INPUT_BINDING.valueFrom,
  ...LOADING,
};

/** An input of a step, and its default, which can be checked only once the process is known. */
interface ReadStepInput {
  readonly input: StepInput;
  readonly written: WrittenDefault | undefined;
}

function readStepInput(node: MappingNode, scope: LoadScope): ReadStepInput | undefined {
  const values = readFields(node, STEP_INPUT, scope);
  const { id, source, linkMerge, pickValue, loadContents = false, default: written, ...rest } = values;
  if (id === undefined) return undefined;
  const link = readLink({ source, linkMerge, pickValue });
  const input: StepInput = {
    ...link,
    ...omitUndefined({ ...rest, default: written?.value }),
    id: shortName(id),
    loadContents,
    position: positionOf(node),
  };
  scope.nodes.set(input, node);
  return { input, written };
}

/** Checks defaults, except those that `valueFrom` may change at run time. CWL v1.2 Workflow.html#WorkflowStepInput, `default`. */
function checkStepDefaults(step: WorkflowStep, inputs: readonly ReadStepInput[], scope: LoadScope): void {
  for (const { input, written } of inputs) {
    const type = step.run.inputs.find(({ id }) => id === input.id)?.type;
    if (written === undefined || type === undefined || input.valueFrom !== undefined) continue;
    const expected: CwlType = step.scatter.includes(input.id) ? { kind: "array", items: type } : type;
    const isUsed = input.source.length === 0 && step.when === undefined;
    checkDefault(written, expected, within(scope, `in.${input.id}`), isUsed);
  }
}

function readRun(node: YamlNode, scope: LoadScope): Process | undefined {
  if (node.kind === "mapping") return readInlineRun(node, scope);
  const reference = text(node, scope);
  if (reference === undefined) return undefined;
  const uri = resolveReference(reference, node.source.uri);
  return uri === undefined ? wrongKind(node, scope, "a reference to a process") : scope.processes.at(uri, node, scope);
}

/** Reads an inline process. Its name is that of the step, and its URI ends with `<step>/run`. */
function readInlineRun(node: MappingNode, scope: LoadScope): Process | undefined {
  const name = scope.place.split(".").at(-2) ?? "run";
  const parent = fragmentOf(scope.processUri);
  const uri = `${withoutFragment(scope.processUri)}#${parent === "" ? "" : `${parent}/`}${name}/run`;
  return scope.processes.inline(node, { uri, name }, scope);
}

interface StepShape {
  readonly id: string;
  readonly in: readonly StepInput[];
  readonly out: readonly string[];
}

/** An Operation with the inputs and outputs of a step, for a step whose own process could not be read. */
function placeholderProcess(step: StepShape, node: YamlNode, scope: LoadScope): Operation {
  const position = positionOf(node);
  const any = { type: { kind: "Any" }, secondaryFiles: [], streamable: false, position } as const;
  const inputs: InputParameter[] = step.in.map(({ id }) => ({
    ...any,
    id,
    loadContents: false,
    default: null,
  }));
  return {
    class: "Operation",
    id: `${scope.processUri}${scope.processUri.includes("#") ? "/" : "#"}${step.id}/run`,
    name: step.id,
    cwlVersion: scope.version,
    inputs,
    outputs: step.out.map((id) => ({ ...any, id })),
    requirements: [],
    hints: [],
    intent: [],
    position,
  };
}
