import type { Process, StepInput, WorkflowStep } from "../../model/process.ts";
import { listOf, listOrMap, oneOrList } from "../fields/collection-readers.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { boolean, text, textOrLines, word, wrongKind } from "../fields/scalar-readers.ts";
import type { Reader } from "../fields/scope.ts";
import { fragmentOf, resolveReference, shortName, withoutFragment } from "../resolve-reference.ts";
import { positionOf, textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "./load-scope.ts";
import { placeholderProcess } from "./placeholder-process.ts";
import { loadListing } from "../type/read-binding.ts";
import { LINK, readLink } from "./read-link.ts";
import { readHints, readRequirements } from "../requirement/read-requirement.ts";
import { readValue } from "../type/read-value.ts";

const outputName: Reader<string> = (node, scope) => {
  if (node.kind !== "mapping") return text(node, scope);
  return readFields(node, { id: required(text) }, scope).id;
};

const STEP = {
  id: required(text),
  label: optional(text),
  doc: optional(textOrLines),
  in: required(listOrMap({ subject: "id", predicate: "source", readItem: readStepInput })),
  out: required(listOf(outputName)),
  run: required(readRun),
  requirements: optional(readRequirements),
  hints: optional(readHints),
  scatter: optional(oneOrList(text)),
  scatterMethod: optional(word("dotproduct", "nested_crossproduct", "flat_crossproduct")),
  when: optional(text, { since: "v1.2" }),
};

/**
 * A step of a workflow, with the process that it runs. Where that process cannot be had, an Operation of the step's own
 * shape stands in for it, so that the rest of the workflow can be shown and checked.
 */
export function readStep(node: MappingNode, scope: LoadScope): WorkflowStep | undefined {
  const {
    id,
    in: inputs = [],
    out = [],
    run,
    requirements = [],
    hints = [],
    scatter = [],
    ...rest
  } = readFields(node, STEP, scope);
  if (id === undefined) return undefined;
  const shape = { id: shortName(id), in: inputs, out: out.map(shortName) };
  const runReference = textEntry(node, "run");
  const step: WorkflowStep = {
    ...omitUndefined({ ...rest, runReference }),
    ...shape,
    run: run ?? placeholderProcess(shape, node, scope),
    requirements,
    hints,
    scatter: scatter.map(shortName),
    position: positionOf(node),
  };
  scope.nodes.set(step, node);
  return step;
}

const STEP_INPUT = {
  ...LINK,
  id: required(text),
  label: optional(text, { since: "v1.1" }),
  default: optional(readValue),
  valueFrom: optional(text),
  loadContents: optional(boolean, { since: "v1.1" }),
  loadListing: optional(loadListing, { since: "v1.1" }),
};

function readStepInput(node: MappingNode, scope: LoadScope): StepInput | undefined {
  const { id, source, linkMerge, pickValue, loadContents = false, ...rest } = readFields(node, STEP_INPUT, scope);
  if (id === undefined) return undefined;
  const link = readLink({ source, linkMerge, pickValue });
  const input: StepInput = {
    ...link,
    ...omitUndefined(rest),
    id: shortName(id),
    loadContents,
    position: positionOf(node),
  };
  scope.nodes.set(input, node);
  return input;
}

function readRun(node: YamlNode, scope: LoadScope): Process | undefined {
  if (node.kind === "mapping") return readInlineRun(node, scope);
  const reference = text(node, scope);
  if (reference === undefined) return undefined;
  const uri = resolveReference(reference, node.source.uri);
  return uri === undefined ? wrongKind(node, scope, "a reference to a process") : scope.processes.at(uri, node, scope);
}

/** An inline process is named by its step; its id follows from the place, `steps.<step>.run`. */
function readInlineRun(node: MappingNode, scope: LoadScope): Process | undefined {
  const name = scope.place.split(".").at(-2) ?? "run";
  const parent = fragmentOf(scope.processUri);
  const uri = `${withoutFragment(scope.processUri)}#${parent === "" ? "" : `${parent}/`}${name}/run`;
  return scope.processes.inline(node, { uri, name }, scope);
}
