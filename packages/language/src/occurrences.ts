/** A declaration or use of an input, output or step, in any document that was read. */
import { nodeAtPath } from "@weft/cwl/document/yaml/node-at-path.ts";
import { entryOf, type ScalarNode, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import { visitExpressions, type ExpressionOwner } from "@weft/cwl/expression/static/check-expressions.ts";
import type { ExpressionSite, FieldPath } from "@weft/cwl/expression/static/expression-site.ts";
import { inputUses } from "@weft/cwl/expression/static/input-uses.ts";
import { isSinceVersion, type CwlVersion } from "@weft/cwl/model/cwl-version.ts";
import type { Process, Workflow, WorkflowStep } from "@weft/cwl/model/process.ts";
import type { Analysis } from "./analysis.ts";
import { rangeAtEnd, rangeInScalar, type TextRange } from "./text-range.ts";

export interface Occurrence {
  /** Identifies the input, output or step: identical for all of its occurrences. */
  readonly symbol: string;
  readonly kind: "input" | "output" | "step";
  readonly name: string;
  readonly range: TextRange;
  readonly isDefinition: boolean;
}

/** All occurrences in the documents that the analysis has read, each once. */
export function occurrencesIn(analysis: Analysis): readonly Occurrence[] {
  const collector = new Collector(analysis);
  for (const process of analysis.processes) collector.addProcess(process);
  return collector.found;
}

type Kind = Occurrence["kind"];

class Collector {
  readonly #analysis: Analysis;
  readonly #seen = new Set<Process>();
  readonly #found = new Map<string, Occurrence>();

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  get found(): readonly Occurrence[] {
    return [...this.#found.values()];
  }

  addProcess(process: Process): void {
    this.#addDeclarations(process);
    visitExpressions(process, { onSite: (site, _, version, owner) => this.#addExpressions(site, version, owner) });
  }

  #addDeclarations(process: Process): void {
    if (this.#seen.has(process)) return;
    this.#seen.add(process);
    for (const input of process.inputs) this.#addId(input, "input", symbolOf(process, "input", input.id), true);
    for (const output of process.outputs) this.#addId(output, "output", symbolOf(process, "output", output.id), true);
    if (process.class === "Workflow") this.#addWorkflow(process);
  }

  #addWorkflow(workflow: Workflow): void {
    for (const step of workflow.steps) {
      this.#addId(step, "step", symbolOf(workflow, "step", step.id), true);
      this.#addStep(workflow, step);
      this.#addDeclarations(step.run);
    }
    for (const output of workflow.outputs)
      this.#addSources(workflow, output, "outputSource", output.outputSource?.source ?? []);
  }

  #addStep(workflow: Workflow, step: WorkflowStep): void {
    for (const input of step.in) {
      const symbol = stepInputSymbol(workflow, step, input.id);
      this.#addId(input, "input", symbol, !declares(step.run, input.id));
      this.#addSources(workflow, input, "source", input.source);
    }
    for (const [index, name] of step.out.entries()) {
      const symbol = symbolOf(step.run, "output", name);
      this.#addText(step, ["out", index, "id"], { kind: "output", name, symbol });
    }
    for (const [index, name] of step.scatter.entries()) {
      const symbol = stepInputSymbol(workflow, step, name);
      this.#addText(step, ["scatter", index], { kind: "input", name, symbol });
    }
    for (const input of step.loop?.inputs ?? [])
      this.#addId(input, "input", stepInputSymbol(workflow, step, input.id), false);
  }

  #addSources(workflow: Workflow, part: object, field: string, sources: readonly string[]): void {
    for (const [index, source] of sources.entries()) {
      const path = [field, index];
      const slash = source.lastIndexOf("/");
      if (slash === -1) {
        this.#addText(part, path, { kind: "input", name: source, symbol: symbolOf(workflow, "input", source) });
        continue;
      }
      const [id, name] = [source.slice(0, slash), source.slice(slash + 1)];
      const step = workflow.steps.find((candidate) => candidate.id === id);
      if (step === undefined) continue;
      this.#addText(part, path, { kind: "output", name, symbol: symbolOf(step.run, "output", name) });
      this.#addText(part, path, { kind: "step", name: id, symbol: symbolOf(workflow, "step", id) }, name.length + 1);
    }
  }

  #addId(part: object, kind: Kind, symbol: string, isDefinition: boolean): void {
    const node = this.#analysis.nodeOf(part);
    const id = node?.kind === "mapping" ? entryOf(node, "id")?.value : undefined;
    if (id?.kind !== "scalar") return;
    const name = String(id.value).replace(/^.*[#/]/s, "");
    this.#add(rangeAtEnd(id, name.length), { kind, name, symbol }, isDefinition);
  }

  /** Adds the name at the end of a string, followed by `after` other characters. */
  #addText(part: object, path: FieldPath, named: Named, after = 0): void {
    const scalar = this.#scalarAt(part, path);
    if (scalar === undefined || typeof scalar.value !== "string") return;
    const start = scalar.value.length - after - named.name.length;
    if (scalar.value.slice(start, start + named.name.length) !== named.name) return;
    this.#add(rangeInScalar(scalar, start, named.name.length), named, false);
  }

  #addExpressions(site: ExpressionSite, version: CwlVersion, { process, step }: ExpressionOwner): void {
    const scalar = this.#scalarAt(site.part, site.path);
    if (scalar === undefined || !site.text.includes("inputs")) return;
    for (const { name, offset } of inputUses(site.text, isSinceVersion(version, "v1.2") ? "brackets" : "any")) {
      const isStep = step !== undefined && process.class === "Workflow";
      const symbol = isStep ? stepInputSymbol(process, step, name) : symbolOf(process, "input", name);
      this.#add(rangeInScalar(scalar, offset, name.length), { kind: "input", name, symbol }, false);
    }
  }

  #scalarAt(part: object, path: FieldPath): ScalarNode | undefined {
    const node = this.#analysis.nodeOf(part);
    const found: YamlNode | undefined = node === undefined ? undefined : nodeAtPath(node, path);
    return found?.kind === "scalar" ? found : undefined;
  }

  #add(range: TextRange | undefined, named: Named, isDefinition: boolean): void {
    if (range === undefined) return;
    const key = JSON.stringify([range, named.symbol]);
    if (!this.#found.has(key)) this.#found.set(key, { ...named, range, isDefinition });
  }
}

type Named = Pick<Occurrence, "kind" | "name" | "symbol">;

function symbolOf({ id }: Process, kind: Kind, name: string): string {
  return `${id} ${kind} ${name}`;
}

/** The symbol of a step input: that of the process's input, or its own if the process does not declare the input. */
function stepInputSymbol(workflow: Workflow, step: WorkflowStep, name: string): string {
  return declares(step.run, name) ? symbolOf(step.run, "input", name) : `${workflow.id} step ${step.id} input ${name}`;
}

function declares({ inputs }: Process, name: string): boolean {
  return inputs.some(({ id }) => id === name);
}
