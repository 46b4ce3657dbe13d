import type { RequirementClass } from "../model/requirement.ts";
import type { Process, WorkflowStep } from "../model/process.ts";
import type { LinkFindings } from "./link-findings.ts";

const FEATURES = [
  "ScatterFeatureRequirement",
  "SubworkflowFeatureRequirement",
  "MultipleInputFeatureRequirement",
  "StepInputExpressionRequirement",
] as const satisfies readonly RequirementClass[];

/** Requirements that a workflow must declare to use a part of the language. CWL v1.2 Workflow.html#WorkflowStep. */
export type FeatureClass = (typeof FEATURES)[number];

/** What is declared by a workflow and its step, as requirement or hint, or by what is around them. */
export function availableFeatures(
  declaring: readonly Pick<Process, "requirements" | "hints">[],
  inherited: ReadonlySet<FeatureClass>,
): ReadonlySet<FeatureClass> {
  const declared = new Set<string>(
    declaring.flatMap(({ requirements, hints }) => [...requirements, ...hints]).map((requirement) => requirement.class),
  );
  return new Set([...inherited, ...FEATURES.filter((feature) => declared.has(feature))]);
}

/** Reports each feature that a step uses although nobody declared it. */
export function checkFeatures(step: WorkflowStep, available: ReadonlySet<FeatureClass>, findings: LinkFindings): void {
  for (const [feature, use] of usedFeatures(step)) {
    if (available.has(feature)) continue;
    const hint = `add \`${feature}: {}\` to the requirements of the workflow`;
    findings.add(
      { part: step, place: `steps.${step.id}` },
      { code: "missing-requirement", message: `${use} needs ${feature}`, hint },
    );
  }
}

function usedFeatures(step: WorkflowStep): readonly (readonly [FeatureClass, string])[] {
  const links = [...step.in, ...(step.loop?.inputs ?? [])];
  const several = links.find((input) => input.source.length > 1);
  const computed = links.find((input) => input.valueFrom !== undefined);
  return [
    ...(step.scatter.length > 0 ? [["ScatterFeatureRequirement", "`scatter`"] as const] : []),
    ...(step.run.class === "Workflow"
      ? [["SubworkflowFeatureRequirement", "a step that runs a workflow"] as const]
      : []),
    ...(several === undefined
      ? []
      : [["MultipleInputFeatureRequirement", `the list of sources of \`${several.id}\``] as const]),
    ...(computed === undefined
      ? []
      : [["StepInputExpressionRequirement", `the \`valueFrom\` of \`${computed.id}\``] as const]),
  ];
}
