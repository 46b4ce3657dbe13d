/**
 * Checks a network before it runs: whether its links connect existing sources and inputs, the types at both ends agree, and
 * every step gets the inputs that its tool requires. CWL v1.2 Workflow.html#Workflow.
 */
import type { Diagnostic } from "../diagnostic.ts";
import { sourceStep, type Workflow, type OutputParameter, type Process, type WorkflowStep } from "../model/process.ts";
import { checkStep } from "./check-step.ts";
import { LinkFindings, type FieldPosition } from "./link-findings.ts";
import { collectSources, acceptsNull, resolveLink, type LinkSources } from "./link-source.ts";
import { checkLinkType } from "./check-link-type.ts";
import type { RequirementClass } from "../model/requirement.ts";

export interface CheckLinksOptions {
  /** Absent: diagnostics point at the step, input or output that a field belongs to. */
  readonly fieldPosition?: FieldPosition;
}

/** All findings about a workflow and its nested workflows, without duplicates. */
export function checkLinks(
  workflow: Workflow,
  { fieldPosition = () => undefined }: CheckLinksOptions = {},
): readonly Diagnostic[] {
  const findings = new LinkFindings(fieldPosition);
  checkWorkflow(workflow, { inherited: new Set(), visited: new Set(), findings });
  return findings.diagnostics;
}

interface Walk {
  /** Requirements of the enclosing workflows, which also apply to this one. */
  readonly inherited: ReadonlySet<FeatureClass>;
  /** Pairs of a workflow and inherited requirements that have already been checked. */
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

/** Checks the link that feeds an output of a workflow. */
function checkOutput(output: OutputParameter, sources: LinkSources, findings: LinkFindings): void {
  const { id, type, outputSource: link } = output;
  const at = { part: output, field: "outputSource", place: `outputs.${id}` };
  if (link === undefined) {
    if (!acceptsNull(type)) findings.add(at, { severity: "warning", ...WITHOUT_SOURCE });
    return;
  }
  const linked = resolveLink(link, sources, at, findings);
  if (linked === undefined) return;
  const sink = { type, name: `the output \`${id}\``, canScatter: false, toleratesNull: false };
  checkLinkType(link, linked, sink, at, findings);
}

const WITHOUT_SOURCE = {
  code: "missing-source",
  message: "the output has no `outputSource`, so it will be null",
};

const FEATURES = [
  "ScatterFeatureRequirement",
  "SubworkflowFeatureRequirement",
  "MultipleInputFeatureRequirement",
  "StepInputExpressionRequirement",
] as const satisfies readonly RequirementClass[];

/** Requirements that a workflow must declare to use a part of the language. CWL v1.2 Workflow.html#WorkflowStep. */
type FeatureClass = (typeof FEATURES)[number];

/** The requirements and hints of a workflow, its step, and the enclosing processes. */
function availableFeatures(
  declaring: readonly Pick<Process, "requirements" | "hints">[],
  inherited: ReadonlySet<FeatureClass>,
): ReadonlySet<FeatureClass> {
  const declared = new Set<string>(
    declaring.flatMap(({ requirements, hints }) => [...requirements, ...hints]).map((requirement) => requirement.class),
  );
  return new Set([...inherited, ...FEATURES.filter((feature) => declared.has(feature))]);
}

/** Reports each feature that a step uses without the requirement that declares it. */
function checkFeatures(step: WorkflowStep, available: ReadonlySet<FeatureClass>, findings: LinkFindings): void {
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

/** Reports steps that wait for each other, in the direction of their links. */
function checkCycle(workflow: Workflow, findings: LinkFindings): void {
  const cycle = findCycle(workflow.steps);
  const [first] = cycle;
  if (first === undefined) return;
  const names = [...cycle, first].map(({ id }) => id).join(" -> ");
  findings.add(
    { part: first, place: `steps.${first.id}` },
    { code: "step-cycle", message: `the steps wait for each other: ${names}` },
  );
}

/** The steps of a cycle: following blocked steps back to steps that they wait for must lead into a cycle. */
function findCycle(steps: readonly WorkflowStep[]): readonly WorkflowStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const blocked = blockedSteps(steps);
  const path: string[] = [];
  const visited = new Set<string>();
  let id = blocked.values().next().value;
  while (id !== undefined && !visited.has(id)) {
    visited.add(id);
    path.push(id);
    const step: WorkflowStep | undefined = byId.get(id);
    id = step === undefined ? undefined : predecessorIds(step).find((other) => blocked.has(other));
  }
  const cycle = id === undefined ? [] : path.slice(path.indexOf(id)).toReversed();
  const first = cycle.indexOf(steps.find((step) => cycle.includes(step.id))?.id ?? "");
  return [...cycle.slice(first), ...cycle.slice(0, first)].flatMap((name) => byId.get(name) ?? []);
}

/** The steps that can never start: those that remain after repeatedly removing steps that wait for no remaining step. */
function blockedSteps(steps: readonly WorkflowStep[]): ReadonlySet<string> {
  const blocked = new Set(steps.map(({ id }) => id));
  const waiting = new Map(
    steps.map((step) => [step.id, new Set(predecessorIds(step).filter((id) => blocked.has(id)))]),
  );
  const followers = Map.groupBy(
    [...waiting].flatMap(([id, predecessors]) => [...predecessors].map((predecessor) => ({ id, predecessor }))),
    ({ predecessor }) => predecessor,
  );
  const free = [...blocked].filter((id) => waiting.get(id)?.size === 0);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    blocked.delete(id);
    for (const follower of followers.get(id) ?? []) {
      const rest = waiting.get(follower.id);
      rest?.delete(id);
      if (rest?.size === 0) free.push(follower.id);
    }
  }
  return blocked;
}

function predecessorIds(step: WorkflowStep): readonly string[] {
  return step.in.flatMap(({ source }) => source.flatMap((name) => sourceStep(name) ?? []));
}
