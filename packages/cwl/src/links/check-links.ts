/**
 * What can be said about a network before anything runs: do its links lead from something to something, do the types
 * on both ends agree, does every step get what its tool asks for. CWL v1.2 Workflow.html#Workflow.
 */
import type { Diagnostic } from "../diagnostic.ts";
import type { Workflow } from "../model/process.ts";
import { checkCycle } from "./check-cycle.ts";
import { availableFeatures, checkFeatures, type FeatureClass } from "./check-features.ts";
import { checkOutput } from "./check-output.ts";
import { checkStep } from "./check-step.ts";
import { LinkFindings, type FieldPosition } from "./link-findings.ts";
import { collectSources } from "./link-source.ts";

export interface CheckLinksOptions {
  /** Without it, diagnostics point at the step, input or output that a field belongs to. */
  readonly fieldPosition?: FieldPosition;
}

/** All findings about a workflow and the workflows in it, each once. */
export function checkLinks(
  workflow: Workflow,
  { fieldPosition = () => undefined }: CheckLinksOptions = {},
): readonly Diagnostic[] {
  const findings = new LinkFindings(fieldPosition);
  checkWorkflow(workflow, { inherited: new Set(), visited: new Set(), findings });
  return findings.diagnostics;
}

interface Walk {
  /** Requirements of the workflows around this one, which count here too. */
  readonly inherited: ReadonlySet<FeatureClass>;
  /** Workflow and inherited requirements: the same pair is never looked at twice. */
  readonly visited: Set<string>;
  readonly findings: LinkFindings;
}

function checkWorkflow(workflow: Workflow, walk: Walk): void {
  const key = [workflow.id, ...[...walk.inherited].toSorted()].join(" ");
  if (walk.visited.has(key)) return;
  walk.visited.add(key);
  const sources = collectSources(workflow);
  for (const step of workflow.steps) checkStep(step, sources, walk.findings);
  for (const output of workflow.outputs) checkOutput(output, sources, walk.findings);
  checkCycle(workflow, walk.findings);
  for (const step of workflow.steps) {
    const available = availableFeatures([workflow, step], walk.inherited);
    checkFeatures(step, available, walk.findings);
    if (step.run.class === "Workflow") checkWorkflow(step.run, { ...walk, inherited: available });
  }
}
