/** Creates the text of a network from some steps of another one, and keeps comments and formatting. */
import { relativeReference, resolveReference } from "@weft/cwl/values/resolve-reference.ts";
import { sourceStep, type Workflow } from "@weft/cwl/model/process.ts";
import { boundaryOutputs, hasAbsoluteNames, isOf, portName, sourcesOf, typed, type Regrouped } from "./group-steps.ts";
import { typeOfSource } from "./drawn-ports.ts";
import { freeName } from "./free-name.ts";
import { NetworkText } from "./network-text.ts";
import type { YamlPath, YamlText } from "./yaml-text.ts";

interface ExtractRequest {
  readonly network: Workflow;
  readonly steps: readonly string[];
  /** URIs of the document and of the new document, to which relative references are adapted. */
  readonly from: string;
  readonly to: string;
}

export function extractSteps(text: string, { network, steps, from, to }: ExtractRequest): Regrouped {
  const edited = NetworkText.parse(text);
  const known = network.steps.filter(({ id }) => steps.includes(id));
  if (edited === undefined || known.length === 0) return { refusal: "The network does not have these steps." };
  if (hasAbsoluteNames(edited) || edited.root.length > 0)
    return { refusal: "The network is packed into one document, from which steps cannot be taken." };
  const chosen = new Set(known.map(({ id }) => id));
  const outputs = boundaryOutputs(network, chosen, "");
  const inputs = newInputs(network, chosen);
  for (const { id } of network.steps) if (!chosen.has(id)) edited.entries("steps").cut(id);
  for (const target of edited.targets())
    if ("step" in target) edited.mapSources(target, (source) => inputs.get(source) ?? source);
  keepInputs(edited, network, { chosen, inputs });
  keepOutputs(edited, network, { chosen, outputs });
  moveReferences(edited.yaml, from, to);
  return { text: edited.yaml.text };
}

/** Names of the inputs that replace outputs of other steps. */
function newInputs(network: Workflow, chosen: ReadonlySet<string>): ReadonlyMap<string, string> {
  const taken = new Set([...chosen, ...network.inputs.map(({ id }) => id)]);
  const found = new Map<string, string>();
  for (const source of sourcesOf(network, chosen)) {
    if (sourceStep(source) === undefined || isOf(source, chosen) || found.has(source)) continue;
    const name = freeName(portName(source), taken);
    taken.add(name);
    found.set(source, name);
  }
  return found;
}

function keepInputs(
  edited: NetworkText,
  network: Workflow,
  { chosen, inputs }: { readonly chosen: ReadonlySet<string>; readonly inputs: ReadonlyMap<string, string> },
): void {
  const entries = edited.entries("inputs");
  const used = new Set(sourcesOf(network, chosen));
  for (const { id } of network.inputs) if (!used.has(id)) entries.cut(id);
  for (const [source, name] of inputs) entries.add(name, { type: typed(typeOfSource(network, source)) });
}

/** Keeps outputs whose sources are chosen steps, and turns values that other steps use into outputs. */
function keepOutputs(
  edited: NetworkText,
  network: Workflow,
  { chosen, outputs }: { readonly chosen: ReadonlySet<string>; readonly outputs: ReturnType<typeof boundaryOutputs> },
): void {
  const entries = edited.entries("outputs");
  const kept = network.outputs.filter(
    ({ outputSource }) => outputSource?.source.every((source) => isOf(source, chosen)) === true,
  );
  for (const { id } of network.outputs) if (!kept.some((output) => output.id === id)) entries.cut(id);
  const keptSources = new Set(kept.flatMap(({ outputSource }) => outputSource?.source ?? []));
  const taken = new Set([...kept.map(({ id }) => id), ...edited.entries("inputs").names, ...chosen]);
  for (const [source, { port, fields }] of outputs) {
    if (keptSources.has(source)) continue;
    const name = freeName(port, taken);
    taken.add(name);
    entries.add(name, fields);
  }
}

const REFERENCES = new Set(["run", "$import", "$include", "$mixin"]);

/** Rewrites the relative references of a document that moves to another folder. */
function moveReferences(yaml: YamlText, from: string, to: string): void {
  for (const { path, reference } of referencesIn(yaml.get([]), [])) {
    const target = resolveReference(reference, from);
    if (target !== undefined && !reference.startsWith("#")) yaml.set(path, relativeReference(target, to));
  }
}

function referencesIn(
  value: unknown,
  path: YamlPath,
): readonly { readonly path: YamlPath; readonly reference: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return entries.flatMap(([key, child]) =>
    typeof child === "string" && REFERENCES.has(String(key))
      ? [{ path: [...path, key], reference: child }]
      : referencesIn(child, [...path, key]),
  );
}
