/** Moves some steps of a network, with their comments, into a nested network by editing the text. */
import { collectSources } from "@weft/cwl/links/link-source.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import { sourceStep, type Workflow } from "@weft/cwl/model/process.ts";
import { stepsAfter } from "@weft/cwl/workflow/select-targets.ts";
import { typeOfSource } from "./drawn-ports.ts";
import { freeName } from "./free-name.ts";
import { fillLines } from "./move-lines.ts";
import { NetworkText } from "./network-text.ts";
import { writtenType } from "./written-type.ts";
import type { YamlValue } from "./yaml-nodes.ts";

export type Regrouped = { readonly text: string } | { readonly refusal: string };

interface GroupRequest {
  readonly network: Workflow;
  readonly steps: readonly string[];
  /** An unused name. */
  readonly name: string;
}

/** Replaces the chosen steps with one step, and moves them into the network that this step runs. */
export function groupSteps(text: string, { network, steps, name }: GroupRequest): Regrouped {
  const chosen = new Set(steps);
  const between = stepBetween(network, chosen);
  if (between !== undefined) return { refusal: `${between} is between these steps; select it too.` };
  const edited = NetworkText.parse(text);
  if (edited === undefined) return { refusal: "Fix the errors in the text first." };
  if (hasAbsoluteNames(edited))
    return { refusal: "The text refers to objects by #, which is not possible in a group." };
  const inputs = boundaryInputs(network, chosen);
  const outputs = boundaryOutputs(network, chosen, name);
  relink(edited, { chosen, inputs, outputs, name });
  moveSteps(edited, steps, { name, inputs, outputs });
  edited.require("SubworkflowFeatureRequirement");
  return { text: edited.yaml.text };
}

interface Port {
  readonly port: string;
  readonly fields: { readonly [field: string]: YamlValue };
}

/** Sources of values that cross the boundary of a group, and the ports that they become. */
type Boundary = ReadonlyMap<string, Port>;

/** A step outside the group that needs a chosen step and is needed by another: it would form a cycle with the group. */
function stepBetween(network: Workflow, chosen: ReadonlySet<string>): string | undefined {
  const after = stepsAfter(network, chosen);
  const needed = sourcesOf(network, chosen).flatMap((source) => sourceStep(source) ?? []);
  return needed.find((id) => after.has(id) && !chosen.has(id));
}

/** The sources of all inputs of some steps. */
export function sourcesOf({ steps }: Workflow, chosen: ReadonlySet<string>): readonly string[] {
  return steps.filter(({ id }) => chosen.has(id)).flatMap((step) => step.in.flatMap(({ source }) => source));
}

export function isOf(source: string, steps: ReadonlySet<string>): boolean {
  return steps.has(sourceStep(source) ?? "");
}

function boundaryInputs(network: Workflow, chosen: ReadonlySet<string>): Boundary {
  const sources = collectSources(network);
  const found = new Map<string, Port>();
  const taken = new Set(chosen);
  for (const source of sourcesOf(network, chosen)) {
    if (isOf(source, chosen) || found.has(source)) continue;
    const port = freeName(portName(source), taken);
    taken.add(port);
    const patterns = (sources.get(source)?.secondaryFiles ?? []).flatMap(({ pattern, required }) =>
      typeof required === "string" ? [] : `${pattern}${required === false ? "?" : ""}`,
    );
    const type = typed(typeOfSource(network, source));
    found.set(source, { port, fields: { type, ...(patterns.length === 0 ? {} : { secondaryFiles: patterns }) } });
  }
  return found;
}

/** The outputs of a group: those that are used outside of it, and those that are not used at all. */
export function boundaryOutputs(network: Workflow, chosen: ReadonlySet<string>, group: string): Boundary {
  const used = new Set(sourcesOf(network, chosen));
  const others = new Set(network.steps.map(({ id }) => id)).difference(chosen);
  const offered = network.steps.flatMap(({ id, out }) => out.map((output) => `${id}/${output}`));
  const outside = [
    ...sourcesOf(network, others),
    ...network.outputs.flatMap(({ outputSource }) => outputSource?.source ?? []),
    ...offered.filter((source) => !used.has(source)),
  ];
  const found = new Map<string, Port>();
  const taken = new Set([...chosen, group]);
  for (const source of outside) {
    if (!isOf(source, chosen) || found.has(source)) continue;
    const port = freeName(portName(source), taken);
    taken.add(port);
    found.set(source, { port, fields: { type: typed(typeOfSource(network, source)), outputSource: source } });
  }
  return found;
}

/** The port of a source: `align/bam` becomes `bam`. */
export function portName(source: string): string {
  return source.slice(source.lastIndexOf("/") + 1);
}

export function typed(type: CwlType | undefined): YamlValue {
  return type === undefined ? "Any" : writtenType(type);
}

interface Relinking {
  readonly chosen: ReadonlySet<string>;
  readonly inputs: Boundary;
  readonly outputs: Boundary;
  readonly name: string;
}

/** Links inner steps to the inputs of the group, and outer steps to its outputs. */
function relink(edited: NetworkText, { chosen, inputs, outputs, name }: Relinking): void {
  for (const target of edited.targets())
    edited.mapSources(target, (source) => {
      if ("step" in target && chosen.has(target.step)) return inputs.get(source)?.port ?? source;
      const output = outputs.get(source);
      return output === undefined ? source : `${name}/${output.port}`;
    });
}

function moveSteps(
  edited: NetworkText,
  steps: readonly string[],
  { name, inputs, outputs }: Pick<Relinking, "name" | "inputs" | "outputs">,
): void {
  const { yaml } = edited;
  const entries = edited.entries("steps");
  const isList = yaml.kindOf([...edited.root, "steps"]) === "list";
  const inOrder = entries.names.filter((step) => steps.includes(step));
  const run = {
    class: "Workflow",
    inputs: Object.fromEntries([...inputs.values()].map(portEntry)),
    outputs: Object.fromEntries([...outputs.values()].map(portEntry)),
    steps: isList ? [] : {},
  };
  const links = Object.fromEntries([...inputs].map(([source, { port }]) => [port, source]));
  entries.add(name, { run, in: links, out: [...outputs.values()].map(({ port }) => port) });
  const copies = inOrder.map((step) => [step, entries.fieldsOf(step) ?? {}] as const);
  const lines = inOrder.map((step) => entries.lines(step));
  for (const step of inOrder) entries.cut(step);
  const place = [...(entries.pathOf(name) ?? []), "run", "steps"];
  if (lines.every((each) => each !== undefined)) fillLines(yaml.source, place, lines.join(""));
  // Steps that share a line with other content, as in JSON, lose only their formatting.
  else yaml.set(place, isList ? copies.map(([id, fields]) => ({ id, ...fields })) : Object.fromEntries(copies));
}

function portEntry({ port, fields }: Port): readonly [string, YamlValue] {
  const { type, ...others } = fields;
  return [port, typeof type === "string" && Object.keys(others).length === 0 ? type : fields];
}

/** True if links are written as `#main/align/bam` instead of `align/bam`, as in packed documents. */
export function hasAbsoluteNames(edited: NetworkText): boolean {
  const places = edited.targets().map((target) => edited.linkPlace(target));
  return places.some((place) => edited.sourcesAt(place).some((source) => source.includes("#")));
}
