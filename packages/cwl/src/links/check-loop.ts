import type { LoopInput, WorkflowStep } from "../model/process.ts";
import { checkLinkType } from "./check-link-type.ts";
import type { LinkFindings } from "./link-findings.ts";
import { resolveLink, type LinkSources } from "./link-source.ts";

/** The links of a loop: what one iteration gives must fit what the next one takes. */
export function checkLoop(step: WorkflowStep, findings: LinkFindings): void {
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
