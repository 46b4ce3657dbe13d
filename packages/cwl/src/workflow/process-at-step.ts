import { effectiveRequirements, type RequirementSet } from "../model/effective-requirements.ts";
import type { Process } from "../model/process.ts";
import type { Requirement } from "../model/requirement.ts";

export interface ProcessAtStep {
  readonly process: Process;
  /** The requirements in effect for the process at its step. */
  readonly requirements: RequirementSet;
  /** The process with all inherited requirements and hints, so that it can run alone. */
  readonly standalone: Process;
}

/** Requirements that concern only workflows. */
const OF_WORKFLOWS = new Set([
  "ScatterFeatureRequirement",
  "SubworkflowFeatureRequirement",
  "MultipleInputFeatureRequirement",
  "StepInputExpressionRequirement",
]);

interface Scope {
  readonly requirements: readonly Requirement[];
  readonly hints: readonly Requirement[];
}

/** The process at a step path such as `outer/inner`; an empty path selects `outermost`. Undefined if there is no such step. */
export function processAtStep(outermost: Process, path: string): ProcessAtStep | undefined {
  let process = outermost;
  const scopes: Scope[] = [outermost];
  for (const id of path === "" ? [] : path.split("/")) {
    const step = process.class === "Workflow" ? process.steps.find((candidate) => candidate.id === id) : undefined;
    if (step === undefined) return undefined;
    process = step.run;
    scopes.push(step, process);
  }
  const standalone = {
    ...process,
    requirements: nearest(scopes.map(({ requirements }) => requirements)),
    hints: nearest(scopes.map(({ hints }) => hints)),
  };
  return { process, requirements: effectiveRequirements(scopes), standalone };
}

/** The innermost requirement of each class. */
function nearest(scopes: readonly (readonly Requirement[])[]): readonly Requirement[] {
  const known = scopes.flat().filter((requirement) => !OF_WORKFLOWS.has(requirement.class));
  const byClass = new Map(known.map((requirement) => [requirement.class, requirement] as const));
  return known.filter(
    (requirement) => requirement.class === "unknown" || byClass.get(requirement.class) === requirement,
  );
}
