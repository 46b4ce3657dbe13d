/**
 * Reads the two forms of a looped step into one `StepLoop`: the requirement `cwltool:Loop` of v1.2, and the fields `loop`,
 * `when` and `outputMethod` of v1.3.
 */
import type { CwlValue } from "../../model/cwl-value.ts";
import type { LoopInput, StepLoop } from "../../model/process.ts";
import { ID } from "../fields/description-fields.ts";
import { listOrMap } from "../fields/collection-readers.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { expression, text, word } from "../fields/scalar-readers.ts";
import { isSince, report, within } from "../fields/scope.ts";
import { suggestionHint } from "../../suggest.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { LINK, readLink, readSources, type LinkValues } from "./read-link.ts";
import { INPUT_BINDING } from "../type/read-binding.ts";
import { readValue } from "../type/read-value.ts";
import { shortName } from "../../values/resolve-reference.ts";
import { entryOf, positionOf, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";

const LOOP_INPUT = {
  id: ID,
  linkMerge: LINK.linkMerge,
  pickValue: LINK.pickValue,
  default: optional(readValue),
  valueFrom: INPUT_BINDING.valueFrom,
};
const EXTENSION_INPUT = { ...LOOP_INPUT, loopSource: optional(readSources) };
export const STANDARD_INPUT = { ...LOOP_INPUT, outputSource: optional(readSources) };

const EXTENSION = {
  class: required(text),
  loopWhen: required(expression),
  loop: required(listOrMap({ subject: "id", predicate: "loopSource", readItem: readExtensionInput })),
  outputMethod: optional(word("last", "all")),
};

/** Fields of the requirement; undefined ones have been reported. */
export type LoopRequirement = ReturnType<typeof readLoopRequirement>;

/** `cwltool:Loop`, as the reference runner's extensions of v1.2 define it. */
export function readLoopRequirement(node: MappingNode, scope: LoadScope) {
  if (!isSince(scope, "v1.2")) {
    const hint = "write `cwlVersion: v1.2`";
    report(scope, node, { code: "field-version", message: `CWL ${scope.version} does not support loops`, hint });
  }
  const { loopWhen, loop = [], outputMethod = "last" } = readFields(node, EXTENSION, scope);
  return { class: "Loop", node, when: loopWhen, inputs: loop, outputMethod } as const;
}

/** The fields that steps of v1.3 have for loops. */
export const LOOP_FIELDS = {
  loop: optional(
    listOrMap({ of: "loopInput", subject: "id", predicate: "outputSource", readItem: readStandardInput }),
    { since: "v1.3.0-dev1", doc: "Inputs that the next iteration takes from the outputs of this one." },
  ),
  outputMethod: optional(word("last_iteration", "all_iterations"), "Which outputs of a loop count.", {
    since: "v1.3.0-dev1",
  }),
};

function readExtensionInput(node: MappingNode, scope: LoadScope): LoopInput | undefined {
  const { loopSource, ...values } = readFields(node, EXTENSION_INPUT, scope);
  return loopInput(node, { ...values, source: loopSource }, scope);
}

function readStandardInput(node: MappingNode, scope: LoadScope): LoopInput | undefined {
  const { outputSource, ...values } = readFields(node, STANDARD_INPUT, scope);
  return loopInput(node, { ...values, source: outputSource }, scope);
}

interface LoopInputValues extends LinkValues {
  readonly id: string | undefined;
  readonly default: CwlValue | undefined;
  readonly valueFrom: string | undefined;
}

function loopInput(node: MappingNode, values: LoopInputValues, scope: LoadScope): LoopInput | undefined {
  const { id, default: value, valueFrom, ...link } = values;
  if (id === undefined) return undefined;
  const input: LoopInput = {
    ...readLink(link),
    ...omitUndefined({ default: value, valueFrom }),
    id: shortName(id),
    position: positionOf(node),
  };
  scope.nodes.set(input, node);
  return input;
}

/** The parts of a step that its loop is checked against. */
export interface LoopedStep {
  readonly node: MappingNode;
  readonly id: string;
  /** Short names. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly scatter: readonly string[];
  readonly when: string | undefined;
  readonly loop: readonly LoopInput[] | undefined;
  readonly outputMethod: "last_iteration" | "all_iterations" | undefined;
  readonly requirement: LoopRequirement | undefined;
}

/** The loop of a step; undefined if it has none, or if its loop has no condition, which is reported. */
export function readStepLoop(step: LoopedStep, scope: LoadScope): StepLoop | undefined {
  const { node, requirement } = step;
  if (requirement === undefined && step.loop === undefined) return reportStrayMethod(step, scope);
  const at = requirement?.node ?? node;
  if (requirement !== undefined) reportTwoConditions(step, scope);
  if (step.scatter.length > 0) reportField("scatter", "a step cannot have both `scatter` and a loop", step, scope);
  const when = requirement?.when ?? step.when;
  const inputs = (requirement?.inputs ?? step.loop ?? []).flatMap((input) => checkedInput(input, step, scope));
  if (when === undefined) {
    if (requirement === undefined) reportNoCondition(node, scope);
    return undefined;
  }
  const all = requirement?.outputMethod === "all" || step.outputMethod === "all_iterations";
  const loop: StepLoop = { when, inputs, outputMethod: all ? "all" : "last", position: positionOf(at) };
  scope.nodes.set(loop, at);
  return loop;
}

function reportStrayMethod(step: LoopedStep, scope: LoadScope): undefined {
  if (step.outputMethod === undefined) return undefined;
  return reportField("outputMethod", "`outputMethod` has no meaning without `loop`", step, scope);
}

function reportTwoConditions(step: LoopedStep, scope: LoadScope): void {
  const message = "a step cannot have both `when` and `cwltool:Loop`; use `loopWhen` as the condition";
  if (step.when !== undefined) reportField("when", message, step, scope);
  if (step.loop !== undefined) reportField("loop", "a step cannot have both `loop` and `cwltool:Loop`", step, scope);
}

function reportField(field: string, message: string, { node }: LoopedStep, scope: LoadScope): undefined {
  return report(scope, entryOf(node, field)?.keyNode ?? node, { code: "loop", message });
}

function reportNoCondition(node: MappingNode, scope: LoadScope): void {
  const hint = "add `when` with an expression that eventually becomes false";
  report(scope, entryOf(node, "loop")?.keyNode ?? node, {
    code: "missing-field",
    message: "`loop` needs `when`, or it never ends",
    hint,
  });
}

/** The input with the short names of its sources; empty if the step does not have the input. Reports problems. */
function checkedInput(input: LoopInput, step: LoopedStep, outer: LoadScope): readonly LoopInput[] {
  const scope = within(outer, `loop.${input.id}`);
  const node = scope.nodes.get(input) ?? step.node;
  const source = input.source.map((name) => ownOutput(name, { node: sourceNode(node), step, scope }));
  const checked = { ...input, source: source.filter((name) => name !== undefined) };
  scope.nodes.set(checked, node);
  if (step.inputs.includes(input.id)) return [checked];
  const message = `the step \`${step.id}\` has no input \`${input.id}\``;
  report(scope, node, { code: "unknown-loop-input", message, hint: suggestionHint(input.id, step.inputs) });
  return [];
}

function sourceNode(node: MappingNode): YamlNode {
  return entryOf(node, "loopSource")?.value ?? entryOf(node, "outputSource")?.value ?? node;
}

interface OwnOutput {
  readonly node: YamlNode;
  readonly step: LoopedStep;
  readonly scope: LoadScope;
}

/** The short name of an own output of the step, from `o`, `step/o` or `#main/step/o`; undefined for another output. */
function ownOutput(name: string, { node, step, scope }: OwnOutput): string | undefined {
  const output = name.startsWith(`${step.id}/`) ? name.slice(step.id.length + 1) : name;
  if (step.outputs.includes(output)) return output;
  const message = `\`${name}\` is not an output of the step \`${step.id}\`; each iteration of a loop uses the outputs of its own step`;
  return report(scope, node, { code: "unknown-loop-source", message, hint: suggestionHint(output, step.outputs) });
}
