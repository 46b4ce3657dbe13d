import { suggestionHint } from "../suggest.ts";
import type { CwlType } from "../model/cwl-type.ts";
import type { SecondaryFilePattern } from "../model/binding.ts";
import type { InputParameter, Link, OutputParameter, Workflow, WorkflowStep } from "../model/process.ts";
import type { FindingPlace, LinkFindings } from "./link-findings.ts";

/** A source of values in a workflow: an input of the workflow or an output of a step. */
export interface LinkSource {
  readonly name: string;
  readonly type: CwlType;
  readonly secondaryFiles: readonly SecondaryFilePattern[];
}

export type LinkSources = ReadonlyMap<string, LinkSource>;

/** Every source of a workflow by its short name (`reads`, `align/bam`), with the type of the linked values. */
export function collectSources(workflow: Workflow): LinkSources {
  const inputs = workflow.inputs.map(inputSource);
  const outputs = workflow.steps.flatMap((step) => step.out.map((name) => outputSource(step, name)));
  return new Map([...inputs, ...outputs].map((source) => [source.name, source]));
}

function inputSource({ id, type, secondaryFiles, default: value }: InputParameter): LinkSource {
  return { name: id, type: (value ?? null) === null ? type : withoutNull(type), secondaryFiles };
}

/** The source for an output of a step. An output that the tool does not declare has the type Any; `checkStep` reports it. */
function outputSource(step: WorkflowStep, name: string): LinkSource {
  const output: OutputParameter | undefined = step.run.outputs.find(({ id }) => id === name);
  const type = output?.type ?? { kind: "Any" };
  return {
    name: `${step.id}/${name}`,
    type: repeated(step, conditional(step, type)),
    secondaryFiles: output?.secondaryFiles ?? [],
  };
}

/** Adds null to the type if the step may be skipped. CWL v1.2 Workflow.html#Conditional_execution_(Optional). */
function conditional(step: WorkflowStep, type: CwlType): CwlType {
  const canBeNull = step.when !== undefined || step.loop?.outputMethod === "last";
  return !canBeNull ? type : { kind: "union", options: [{ kind: "null" }, type] };
}

/**
 * Turns the type into a list for a scattered step, with one level per axis of a nested crossproduct, or for a loop that
 * collects all iterations.
 * CWL v1.2 Workflow.html#WorkflowStep.
 */
function repeated(step: WorkflowStep, type: CwlType): CwlType {
  if (step.loop?.outputMethod === "all") return { kind: "array", items: type };
  const levels = step.scatterMethod === "nested_crossproduct" ? step.scatter.length : Math.min(1, step.scatter.length);
  let lifted = type;
  for (let level = 0; level < levels; level++) lifted = { kind: "array", items: lifted };
  return lifted;
}

/** The sources of a link; undefined if the link has none, or if one does not exist, which is reported. */
export function resolveLink(
  link: Link,
  sources: LinkSources,
  at: FindingPlace,
  findings: LinkFindings,
): readonly LinkSource[] | undefined {
  const unknown = link.source.filter((name) => !sources.has(name));
  for (const name of unknown) {
    const hint = suggestionHint(name, [...sources.keys()]);
    findings.add(at, { code: "unknown-source", message: `there is no source \`${name}\``, hint });
  }
  const known = link.source.map((name) => sources.get(name)).filter((source) => source !== undefined);
  return known.length === 0 || unknown.length > 0 ? undefined : known;
}

/** The type without null; null alone stays. */
export function withoutNull(type: CwlType): CwlType {
  if (type.kind !== "union") return type;
  const options = type.options.filter(({ kind }) => kind !== "null");
  const [only] = options;
  if (only === undefined) return type;
  return options.length === 1 ? only : { kind: "union", options };
}

/** True if the type allows null. */
export function acceptsNull(type: CwlType): boolean {
  return type.kind === "null" || (type.kind === "union" && type.options.some(({ kind }) => kind === "null"));
}
