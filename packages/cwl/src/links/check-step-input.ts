import type { CwlType } from "../model/cwl-type.ts";
import type { InputParameter, StepInput, WorkflowStep } from "../model/process.ts";
import { checkLinkType, type LinkSink } from "./check-link-type.ts";
import type { FindingPlace, LinkFindings } from "./link-findings.ts";
import { resolveLink, type LinkSource, type LinkSources } from "./link-source.ts";

/** Checks the link into one input of a step. Inputs that the tool does not declare are allowed: expressions may use them. */
export function checkStepInput(
  step: WorkflowStep,
  input: StepInput,
  sources: LinkSources,
  findings: LinkFindings,
): void {
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
