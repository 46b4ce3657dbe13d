import { entryOf, type MappingNode, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import type { Process, WorkflowStep } from "@weft/cwl/model/process.ts";
import type { Analysis } from "./analysis.ts";
import { editorPosition, type TextRange } from "./text-range.ts";

/** A recorded failure of a run. */
export interface FailurePlace {
  /** Path of the step (`outer/inner`), "" for the document itself. */
  readonly step: string;
  /** Code of the reason, such as `MISSING_OUTPUT`. */
  readonly code: string;
  /** `outputs.report.outputBinding.glob`, `steps.smooth.in.fwhm.valueFrom`; undefined if it was not recorded. */
  readonly place: string | undefined;
}

export interface LocatedFailure {
  readonly range: TextRange;
  /** The document with the fault, if it is another one; the range is then that of the step that runs it. */
  readonly elsewhere: string | undefined;
}

/** The smallest known part of a document that caused a failure. */
export function locateFailure(
  analysis: Analysis,
  { step, code, place = "" }: FailurePlace,
): LocatedFailure | undefined {
  const [root] = analysis.processes;
  if (root === undefined) return undefined;
  const linked = /^steps\.([^.]+)\.(.+)$/.exec(place);
  const path = linked?.[1] ?? step;
  const chain = chainOf(root, path);
  const [last] = chain.slice(-1);
  const found =
    linked !== null && last !== undefined
      ? nodeInStep(last, linked[2] ?? "", analysis)
      : nodeInProcess(last === undefined ? root : last.run, { code, place }, analysis);
  if (found !== undefined && found.source.uri === analysis.uri) return { range: rangeOf(found), elsewhere: undefined };
  const runs = chain.findLast((each) => analysis.nodeOf(each)?.source.uri === analysis.uri);
  const node = runs && analysis.nodeOf(runs);
  if (node?.kind !== "mapping") return undefined;
  return { range: rangeOf(entryOf(node, "run")?.keyNode ?? node), elsewhere: found?.source.uri };
}

/** The steps along a path, outermost first. */
function chainOf(root: Process, path: string): readonly WorkflowStep[] {
  const chain: WorkflowStep[] = [];
  let process = root;
  for (const id of path === "" ? [] : path.split("/")) {
    const step = process.class === "Workflow" ? process.steps.find((candidate) => candidate.id === id) : undefined;
    if (step === undefined) break;
    chain.push(step);
    process = step.run;
  }
  return chain;
}

function nodeInStep(step: WorkflowStep, rest: string, { nodeOf }: Analysis): YamlNode | undefined {
  const [field = "", name, ...others] = rest.split(".");
  const input = field === "in" ? step.in.find(({ id }) => id === name) : undefined;
  if (input !== undefined) return deepest(nodeOf(input), others) ?? nodeOf(input);
  return deepest(nodeOf(step), [field]) ?? nodeOf(step);
}

/** Fields that usually cause a failure, for records that name no field; best first. */
const USUAL: { readonly [code: string]: readonly (readonly string[])[] } = {
  TOOL_EXIT: [["baseCommand"], ["arguments"], ["expression"]],
  OUT_OF_MEMORY: [["requirements", "ResourceRequirement"], ["hints", "ResourceRequirement"], ["baseCommand"]],
  TIME_LIMIT: [["requirements", "ToolTimeLimit"], ["hints", "ToolTimeLimit"], ["baseCommand"]],
};

function nodeInProcess(
  process: Process,
  { code, place }: Pick<FailurePlace, "code" | "place">,
  { nodeOf }: Analysis,
): YamlNode | undefined {
  const root = nodeOf(process);
  const path = (place ?? "")
    .replaceAll(/\[\d+\]/g, "")
    .split(".")
    .filter((part) => part !== "");
  const [field, name, ...others] = path;
  const parameters = field === "outputs" ? process.outputs : field === "inputs" ? process.inputs : [];
  const part = parameters.find(({ id }) => id === name);
  if (part !== undefined) {
    const node = nodeOf(part);
    const fields = others.length > 0 ? others : ["outputBinding", "glob"];
    return deepest(node, fields) ?? node;
  }
  const isRequirement = field?.endsWith("Requirement") === true;
  const written = isRequirement ? ["requirements", "hints"].map((list) => [list, ...path]) : [path];
  for (const candidate of [...written.filter(({ length }) => length > 0), ...(USUAL[code] ?? [])]) {
    const found = deepest(root, candidate);
    if (found !== undefined) return found;
  }
  return root;
}

/** The key of the last field of a path that exists; undefined if the first field is missing. */
function deepest(node: YamlNode | undefined, path: readonly string[]): YamlNode | undefined {
  let found: YamlNode | undefined;
  let current = node;
  for (const segment of path) {
    const entry = current === undefined ? undefined : childOf(current, segment);
    if (entry === undefined) break;
    found = entry.mark;
    current = entry.value;
  }
  return found;
}

interface Child {
  /** The node to mark: the value if it is a scalar, otherwise the key. */
  readonly mark: YamlNode;
  readonly value: YamlNode;
}

function childOf(node: YamlNode, name: string): Child | undefined {
  if (node.kind === "sequence") {
    const item = node.items.find((each) => each.kind === "mapping" && isCalled(each, name));
    return item && { mark: item, value: item };
  }
  const entry = node.kind === "mapping" ? entryOf(node, name) : undefined;
  return entry && { mark: entry.value.kind === "scalar" ? entry.value : entry.keyNode, value: entry.value };
}

function isCalled(node: MappingNode, name: string): boolean {
  return ["id", "class"].some((key) => {
    const value = entryOf(node, key)?.value;
    return value?.kind === "scalar" && String(value.value).replace(/^.*[#/]/s, "") === name;
  });
}

/** The range of a scalar, or of the beginning of a list or map. */
function rangeOf(node: YamlNode): TextRange {
  const first = node.kind === "mapping" ? (node.entries[0]?.keyNode ?? node) : node;
  const end = first.kind === "scalar" ? first.end : first.offset + 1;
  const { source, offset } = first;
  return {
    uri: source.uri,
    start: editorPosition(source, offset),
    end: editorPosition(source, Math.max(end, offset + 1)),
  };
}
