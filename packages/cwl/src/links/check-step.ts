import { matchesType } from "../check/check-type.ts";
import { typeText } from "../model/type-text.ts";
import { suggestionHint } from "../suggest.ts";
import type { InputParameter, WorkflowStep, LoopInput, StepInput } from "../model/process.ts";
import type { LinkFindings, FindingPlace } from "./link-findings.ts";
import { acceptsNull, type LinkSources, resolveLink, type LinkSource } from "./link-source.ts";
import { checkLinkType, type LinkSink } from "./check-link-type.ts";
import type { CwlType } from "../model/cwl-type.ts";

/** Checks one step: its incoming links, its scatter, its outputs, and whether it supplies all required inputs. */
export function checkStep(step: WorkflowStep, sources: LinkSources, findings: LinkFindings): void {
  for (const input of step.in) checkStepInput(step, input, sources, findings);
  checkScatter(step, findings);
  checkLoop(step, findings);
  checkOutputNames(step, findings);
  checkRequiredInputs(step, findings);
  checkUsedDefaults(step, findings);
}

function checkScatter(step: WorkflowStep, findings: LinkFindings): void {
  const at = { part: step, field: "scatter", place: `steps.${step.id}.scatter` };
  const names = step.in.map(({ id }) => id);
  for (const name of step.scatter.filter((scattered) => !names.includes(scattered))) {
    const message = `the step has no input \`${name}\` to scatter over`;
    findings.add(at, { code: "unknown-scatter", message, hint: suggestionHint(name, names) });
  }
  if (step.scatter.length < 2 || step.scatterMethod !== undefined) return;
  const message = "scattering over several inputs needs a `scatterMethod`";
  findings.add(at, {
    code: "missing-scatter-method",
    message,
    hint: "`scatterMethod: dotproduct` combines items with the same index",
  });
}

function checkOutputNames(step: WorkflowStep, findings: LinkFindings): void {
  const names = step.run.outputs.map(({ id }) => id);
  for (const name of step.out.filter((output) => !names.includes(output))) {
    const at = { part: step, field: "out", place: `steps.${step.id}.out` };
    findings.add(at, {
      code: "unknown-output",
      message: `${step.run.name} has no output \`${name}\``,
      hint: suggestionHint(name, names),
    });
  }
}

function checkRequiredInputs(step: WorkflowStep, findings: LinkFindings): void {
  const supplied = step.in.filter(
    (input) => input.source.length > 0 || input.default !== undefined || input.valueFrom !== undefined,
  );
  for (const input of step.run.inputs.filter(isRequired)) {
    if (supplied.some(({ id }) => id === input.id)) continue;
    const at = { part: step, field: "in", place: `steps.${step.id}.in` };
    const message = `${step.run.name} needs \`${input.id}\`, which has no source, default or valueFrom here`;
    findings.add(at, { code: "missing-input", message });
  }
}

/** Reports defaults of the wrong type that the step uses; unused ones do no harm. */
function checkUsedDefaults(step: WorkflowStep, findings: LinkFindings): void {
  if (step.when !== undefined) return;
  for (const { id, type, default: value = null } of step.run.inputs) {
    if (value === null || step.in.some((input) => input.id === id) || matchesType(type, value)) continue;
    const at = { part: step, field: "in", place: `steps.${step.id}.in` };
    const message = `the default of \`${id}\` of ${step.run.name}, which this step uses, is not of type ${typeText(type)}`;
    findings.add(at, { code: "wrong-type", message });
  }
}

function isRequired({ type, default: value }: InputParameter): boolean {
  return !acceptsNull(type) && value === undefined;
}

/** Checks the links of a loop: the outputs of one iteration must fit the inputs of the next. */
function checkLoop(step: WorkflowStep, findings: LinkFindings): void {
  const outputs: LinkSources = new Map(
    step.run.outputs.map(({ id, type, secondaryFiles }) => [id, { name: id, type, secondaryFiles }]),
  );
  for (const input of step.loop?.inputs ?? []) checkLoopInput(step, input, outputs, findings);
}

function checkLoopInput(step: WorkflowStep, input: LoopInput, outputs: LinkSources, findings: LinkFindings): void {
  const parameter = step.run.inputs.find(({ id }) => id === input.id);
  if (parameter === undefined || input.valueFrom !== undefined) return;
  const at = { part: input, field: "loopSource", place: `steps.${step.id}.loop.${input.id}` };
  const linked = resolveLink(input, outputs, at, findings);
  if (linked === undefined) return;
  const sink = {
    type: parameter.type,
    name: `\`${input.id}\` of ${step.run.name}`,
    canScatter: false,
    toleratesNull: (input.default ?? parameter.default ?? null) !== null,
  };
  checkLinkType(input, linked, sink, at, findings);
}

/** Checks the link into one input of a step. Inputs that the tool does not declare are allowed: expressions may use them. */
function checkStepInput(step: WorkflowStep, input: StepInput, sources: LinkSources, findings: LinkFindings): void {
  const at = { part: input, field: "source", place: `steps.${step.id}.in.${input.id}` };
  const linked = resolveLink(input, sources, at, findings);
  const parameter = step.run.inputs.find(({ id }) => id === input.id);
  const sink = sinkOf(step, input, parameter);
  if (linked === undefined || sink === undefined) return;
  checkLinkType(input, linked, sink, at, findings);
  if (parameter !== undefined && input.valueFrom === undefined)
    checkSecondaryFiles(linked, { parameter, name: sink.name }, at, findings);
}

/** The sink of a link; undefined if it accepts any value, because the result of `valueFrom` is known only at run time. */
function sinkOf(step: WorkflowStep, input: StepInput, parameter: InputParameter | undefined): LinkSink | undefined {
  const levels = step.scatter.filter((id) => id === input.id).length;
  const isOpen = parameter === undefined || input.valueFrom !== undefined;
  if (isOpen && levels === 0) return undefined;
  const type: CwlType = isOpen ? { kind: "Any" } : parameter.type;
  return {
    type: listOf(type, levels),
    name: `\`${input.id}\` of ${step.run.name}`,
    canScatter: true,
    toleratesNull: step.when !== undefined || (input.default ?? parameter?.default ?? null) !== null,
  };
}

/** An input that is scattered over twice takes a list of lists. CWL v1.2 Workflow.html#WorkflowStep. */
function listOf(type: CwlType, levels: number): CwlType {
  return levels === 0 ? type : { kind: "array", items: listOf(type, levels - 1) };
}

/** Reports missing secondary files as warnings: a source may supply files that it does not declare. */
function checkSecondaryFiles(
  sources: readonly LinkSource[],
  sink: { readonly parameter: InputParameter; readonly name: string },
  at: FindingPlace,
  findings: LinkFindings,
): void {
  const needed = sink.parameter.secondaryFiles.filter(
    ({ pattern, required }) => (required ?? true) === true && !pattern.includes("$"),
  );
  for (const source of sources.filter(({ type }) => holdsFiles(type))) {
    const declared = new Set(source.secondaryFiles.map(({ pattern }) => pattern));
    for (const { pattern } of needed.filter((file) => !declared.has(file.pattern))) {
      const message = `\`${source.name}\` does not declare the secondary file \`${pattern}\` that ${sink.name} needs`;
      findings.add(at, { severity: "warning", code: "secondary-files", message });
    }
  }
}

function holdsFiles(type: CwlType): boolean {
  return type.kind === "File" || (type.kind === "array" && holdsFiles(type.items));
}
