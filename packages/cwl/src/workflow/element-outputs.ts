import { sourceStep, type Workflow } from "../model/process.ts";
import { isCrossed } from "./step/scatter-jobs.ts";

/** The scattered step whose jobs produce the elements of a list, one element each. */
export interface ElementStep {
  readonly step: string;
  /** False if an element belongs to several lists, so that it has no name. */
  readonly isOfOneElement: boolean;
}

/** The steps whose jobs produce the elements of outputs, by output. Omits outputs whose links merge or pick values. */
export function elementOutputs(workflow: Workflow): ReadonlyMap<string, ElementStep> {
  const found = new Map<string, ElementStep>();
  for (const { id, outputSource: link } of workflow.outputs) {
    const [source, second] = link?.source ?? [];
    if (link === undefined || source === undefined || second !== undefined || link.sourceIsList) continue;
    if (link.pickValue !== undefined || link.linkMerge !== undefined) continue;
    const step = workflow.steps.find((candidate) => candidate.id === sourceStep(source));
    if (step === undefined || step.scatter.length === 0 || step.scatterMethod === "nested_crossproduct") continue;
    found.set(id, { step: step.id, isOfOneElement: !isCrossed(step) });
  }
  return found;
}
