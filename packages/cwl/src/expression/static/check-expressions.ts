/**
 * Checks every expression of a process and of nested processes before a run: JavaScript must be valid and allowed, and names
 * must exist. Requirements of enclosing processes apply too, so a process that several steps run is checked with the
 * requirements of each step.
 */
import type { Diagnostic, SourcePosition } from "../../diagnostic.ts";
import { collectSources, type LinkSources } from "../../links/link-source.ts";
import { effectiveRequirements, type RequirementSet } from "../../model/effective-requirements.ts";
import type { Process, Workflow, WorkflowStep, StepInput } from "../../model/process.ts";
import { isSinceVersion, type CwlVersion } from "../../model/cwl-version.ts";
import { holdsExpression } from "../parse-template.ts";
import { checkLibrary, checkText, type TextProblem } from "./check-text.ts";
import type { ExpressionSite, FieldPath } from "./expression-site.ts";
import { inputExpressions, toolExpressions } from "./tool-expressions.ts";
import type { CwlType } from "../../model/cwl-type.ts";
import { NO_RUNTIME, NOTHING, recordOf, UNKNOWN, type StaticValue } from "./static-value.ts";

/** The position of a character of a string; undefined for a string that is not in a document. */
export type TextPosition = (part: object, path: FieldPath, offset: number) => SourcePosition | undefined;

/** All findings, without duplicates. */
export function checkExpressions(process: Process, positionOf: TextPosition): readonly Diagnostic[] {
  const findings = new Findings(positionOf);
  visitExpressions(process, {
    onSite: (site, requirements, version) => findings.check(site, requirements, version),
    onLibrary: (requirements) => findings.checkLibraries(requirements),
  });
  return findings.diagnostics;
}

/** The owner of the variables in `inputs`: a process, or a step of a workflow. */
export interface ExpressionOwner {
  readonly process: Process;
  readonly step?: WorkflowStep;
}

/** Receives the expressions of a process. */
export interface ExpressionVisitor {
  readonly onSite: (
    site: ExpressionSite,
    requirements: RequirementSet,
    version: CwlVersion,
    owner: ExpressionOwner,
  ) => void;
  /** Requirements that contain JavaScript. */
  readonly onLibrary?: (requirements: RequirementSet) => void;
}

/** Calls the visitor for each expression of a process and of nested processes, with the requirements in effect there. */
export function visitExpressions(process: Process, visitor: ExpressionVisitor): void {
  visit(process, effectiveRequirements([]), { visitor, seen: new Map(), numbers: new Map() });
}

interface Walk {
  readonly visitor: ExpressionVisitor;
  /** The requirements with which each process was visited. */
  readonly seen: Map<Process, Set<string>>;
  readonly numbers: Map<object, number>;
}

function visit(process: Process, around: RequirementSet, walk: Walk): void {
  const requirements = around.enter(process);
  if (isSeen(process, requirements, walk)) return;
  const { onSite, onLibrary } = walk.visitor;
  if (requirements.get("InlineJavascriptRequirement") !== undefined) onLibrary?.(requirements);
  for (const site of sitesOf(process, requirements)) onSite(site, requirements, process.cwlVersion, { process });
  if (process.class === "Workflow") visitSteps(process, requirements, walk);
}

function sitesOf(process: Process, requirements: RequirementSet): readonly ExpressionSite[] {
  if (process.class === "Operation") return [];
  return process.class === "Workflow" ? inputExpressions(process) : toolExpressions(process, requirements);
}

function visitSteps(workflow: Workflow, requirements: RequirementSet, walk: Walk): void {
  const sources = collectSources(workflow);
  for (const step of workflow.steps) {
    const atStep = requirements.enter(step);
    for (const site of stepExpressions(step, sources))
      walk.visitor.onSite(site, atStep, workflow.cwlVersion, { process: workflow, step });
    visit(step.run, atStep, walk);
  }
}

const WITH_EXPRESSIONS = [
  "InlineJavascriptRequirement",
  "InitialWorkDirRequirement",
  "EnvVarRequirement",
  "ResourceRequirement",
  "ToolTimeLimit",
  "WorkReuse",
  "NetworkAccess",
] as const;

/** True if the process was already visited with the same requirements, as far as they concern expressions. */
function isSeen(process: Process, requirements: RequirementSet, { seen, numbers }: Walk): boolean {
  const key = WITH_EXPRESSIONS.map((name) => numberOf(requirements.get(name), numbers)).join(" ");
  const keys = seen.get(process) ?? new Set();
  seen.set(process, keys);
  return keys.size === keys.add(key).size;
}

function numberOf(requirement: object | undefined, numbers: Map<object, number>): number {
  if (requirement === undefined) return 0;
  const number = numbers.get(requirement) ?? numbers.size + 1;
  numbers.set(requirement, number);
  return number;
}

class Findings {
  readonly #positionOf: TextPosition;
  readonly #diagnostics = new Map<string, Diagnostic>();
  readonly #libraries = new Set<object>();

  constructor(positionOf: TextPosition) {
    this.#positionOf = positionOf;
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()];
  }

  check(site: ExpressionSite, requirements: RequirementSet, version: CwlVersion): void {
    if (!holdsExpression(site.text)) return;
    const library = requirements.get("InlineJavascriptRequirement")?.expressionLib;
    const escaping = isSinceVersion(version, "v1.2") ? "brackets" : "any";
    for (const problem of checkText(site.text, { names: site.names, escaping, library })) this.#add(site, problem);
  }

  checkLibraries(requirements: RequirementSet): void {
    const part = requirements.get("InlineJavascriptRequirement");
    if (part === undefined || this.#libraries.has(part)) return;
    this.#libraries.add(part);
    for (const [index, text] of part.expressionLib.entries()) {
      const place = `requirements.InlineJavascriptRequirement.expressionLib.${index}`;
      for (const problem of checkLibrary(text)) this.#add({ part, path: ["expressionLib", index], place }, problem);
    }
  }

  #add({ part, path, place }: Pick<ExpressionSite, "part" | "path" | "place">, problem: TextProblem): void {
    const { severity, code, message, hint, offset } = problem;
    const position = this.#positionOf(part, path, offset);
    if (position === undefined) return;
    const diagnostic = { severity, code, message: `${place}: ${message}`, ...position };
    const key = JSON.stringify([position, code, message]);
    this.#diagnostics.set(key, hint === undefined ? diagnostic : { ...diagnostic, hint });
  }
}

/** The expressions of a step, which can use its inputs but not the `runtime` of a job. */
function stepExpressions(step: WorkflowStep, sources: LinkSources): readonly ExpressionSite[] {
  const values = new Map(
    step.in.map((input) => [input.id, step.loop === undefined ? inputValue(step, input, sources) : UNKNOWN]),
  );
  const inputs: StaticValue = { type: recordOf([...values]), hasContents: true };
  const place = `steps.${step.id}`;
  const site = (part: object, field: string, at: string, text: string | undefined, self: StaticValue) =>
    text === undefined ? [] : [{ part, path: [field], place: at, text, names: { inputs, self, runtime: NO_RUNTIME } }];
  return [
    ...site(step, "when", `${place}.when`, step.when, NOTHING),
    ...step.in.flatMap((input) =>
      site(input, "valueFrom", `${place}.in.${input.id}.valueFrom`, input.valueFrom, values.get(input.id) ?? UNKNOWN),
    ),
    ...(step.loop === undefined ? [] : loopSites(step.loop)),
  ];

  function loopSites(loop: NonNullable<WorkflowStep["loop"]>): readonly ExpressionSite[] {
    const conditions = ["when", "loopWhen"].flatMap((field) => site(loop, field, `${place}.when`, loop.when, NOTHING));
    const changed = loop.inputs.flatMap((input) =>
      site(input, "valueFrom", `${place}.loop.${input.id}.valueFrom`, input.valueFrom, UNKNOWN),
    );
    return [...conditions, ...changed];
  }
}

/** The value of an input before its `valueFrom`; unknown if the input has a default or several sources. */
function inputValue(step: WorkflowStep, input: StepInput, sources: LinkSources): StaticValue {
  const isPlain = input.default === undefined && input.linkMerge === undefined && input.pickValue === undefined;
  const [name, second] = input.source;
  if (!isPlain || input.sourceIsList || second !== undefined) return UNKNOWN;
  if (name === undefined) return NOTHING;
  const type = sources.get(name)?.type;
  if (type === undefined) return UNKNOWN;
  const levels = step.scatter.filter((id) => id === input.id).length;
  return levels === 0 ? { type, hasContents: true } : elementOf(type, levels);
}

function elementOf(type: CwlType, levels: number): StaticValue {
  if (levels === 0) return { type, hasContents: true };
  return type.kind === "array" ? elementOf(type.items, levels - 1) : UNKNOWN;
}
