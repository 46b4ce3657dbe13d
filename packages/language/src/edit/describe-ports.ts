/** Describes a node for the network editor: its ports, and the sources that could be connected to them. */
import { collectSources, withoutNull, type LinkSource, type LinkSources } from "@weft/cwl/links/link-source.ts";
import { assignability, needsValue } from "@weft/cwl/model/assignability.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import { sourceStep, type Link, type Workflow, type WorkflowStep } from "@weft/cwl/model/process.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import { stepsAfter } from "@weft/cwl/workflow/select-targets.ts";
import { typeOfSource } from "./drawn-ports.ts";

/**
 * The way in which a source fits a port. `direct`: unchanged. `check`: only some values fit, which the run checks.
 * `scatter`: the step runs once for each item. `list`: as a list of one item.
 */
export type Fit = "direct" | "check" | "scatter" | "list";

export interface SourceChoice {
  /** `reads` or `align/bam`. */
  readonly source: string;
  readonly typeText: string;
  readonly fit: Fit;
}

/** A port that receives values. */
export interface PortView {
  readonly name: string;
  readonly label: string | undefined;
  readonly doc: string | undefined;
  readonly typeText: string;
  readonly isRequired: boolean;
  readonly sources: readonly string[];
  readonly linkMerge: string | undefined;
  readonly pickValue: string | undefined;
  /** Whether the step runs once for each item of this input. */
  readonly isScattered: boolean;
  /** True if an expression computes the value. */
  readonly isComputed: boolean;
  /** The fixed value in the network as JSON; undefined if there is none. */
  readonly value: string | undefined;
  readonly choices: readonly SourceChoice[];
}

export type NodeView =
  | {
      readonly kind: "step";
      readonly name: string;
      readonly label: string | undefined;
      readonly runs: string;
      /** True if the step runs an inline network. */
      readonly isGroup: boolean;
      readonly doc: string | undefined;
      readonly ports: readonly PortView[];
      readonly outputs: readonly { readonly name: string; readonly typeText: string; readonly type: CwlType }[];
      readonly scatterMethod: string | undefined;
    }
  | {
      readonly kind: "input";
      readonly name: string;
      readonly label: string | undefined;
      readonly doc: string | undefined;
      readonly typeText: string;
    }
  | {
      readonly kind: "output";
      readonly name: string;
      readonly label: string | undefined;
      readonly doc: string | undefined;
      readonly typeText: string;
      readonly port: PortView;
    };

/** Describes the node at a path of the drawing: the name of a step, `input:reads` or `output:bam`. */
export function describeNode(workflow: Workflow, path: string): NodeView | undefined {
  const sources = collectSources(workflow);
  const step = workflow.steps.find(({ id }) => id === path);
  if (step !== undefined) return describeStep(workflow, step, sources);
  const [kind, name] = splitPath(path);
  const input = kind === "input" ? workflow.inputs.find(({ id }) => id === name) : undefined;
  if (input !== undefined) {
    const { label, doc, type } = input;
    return { kind: "input", name, label, doc, typeText: typeText(type) };
  }
  const output = kind === "output" ? workflow.outputs.find(({ id }) => id === name) : undefined;
  if (output === undefined) return undefined;
  const described = { name, label: output.label, doc: output.doc, typeText: typeText(output.type) };
  const port: PortView = {
    ...described,
    ...linkView(output.outputSource),
    ...{ isRequired: true, isScattered: false, isComputed: false, value: undefined },
    choices: choicesFor(output.type, sources),
  };
  return { kind: "output", ...described, port };
}

function splitPath(path: string): readonly [string, string] {
  const at = path.indexOf(":");
  return [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
}

function describeStep(workflow: Workflow, step: WorkflowStep, sources: LinkSources): NodeView {
  // Connecting a step to one that needs its results would create a cycle.
  const after = stepsAfter(workflow, [step.id]);
  const usable = new Map([...sources].filter(([name]) => !after.has(sourceStep(name) ?? "")));
  const ports = step.run.inputs.map((parameter): PortView => {
    const input = step.in.find(({ id }) => id === parameter.id);
    return {
      name: parameter.id,
      label: parameter.label,
      doc: parameter.doc,
      typeText: typeText(parameter.type),
      isRequired: needsValue(parameter),
      ...linkView(input),
      isScattered: step.scatter.includes(parameter.id),
      isComputed: input?.valueFrom !== undefined,
      value: input?.default === undefined ? undefined : JSON.stringify(input.default),
      choices: choicesFor(parameter.type, usable, step),
    };
  });
  const outputs = step.run.outputs.map(({ id }) => {
    const known = typeOfSource(workflow, `${step.id}/${id}`) ?? { kind: "Any" as const };
    return { name: id, typeText: typeText(known), type: known };
  });
  const runs = step.run.label ?? step.run.name;
  const isGroup = step.run.class === "Workflow" && step.runReference === undefined;
  const { id: name, label, doc, scatterMethod } = step;
  return { kind: "step", name, label, doc, runs, isGroup, ports, outputs, scatterMethod };
}

function linkView(link: Link | undefined): Pick<PortView, "sources" | "linkMerge" | "pickValue"> {
  return { sources: link?.source ?? [], linkMerge: link?.linkMerge, pickValue: link?.pickValue };
}

/** Every source that fits a port, of a step or of the network: direct fits first, then in the order of the document. */
function choicesFor(sink: CwlType, sources: LinkSources, step?: WorkflowStep): readonly SourceChoice[] {
  const found = [...sources.values()].flatMap((source) => {
    const fit = fitOf(source, sink, step !== undefined);
    return fit === undefined ? [] : [{ source: source.name, typeText: typeText(source.type), fit }];
  });
  return found.sort((a, b) => FITS.indexOf(a.fit) - FITS.indexOf(b.fit));
}

const FITS: readonly Fit[] = ["direct", "check", "scatter", "list"];

function fitOf({ type }: LinkSource, sink: CwlType, canScatter: boolean): Fit | undefined {
  const direct = assignability(type, sink);
  if (direct === "yes") return "direct";
  if (canScatter && type.kind === "array" && assignability(type.items, sink) === "yes") return "scatter";
  if (direct === "maybe") return "check";
  const list = withoutNull(sink);
  return list.kind === "array" && assignability(type, list.items) === "yes" ? "list" : undefined;
}
