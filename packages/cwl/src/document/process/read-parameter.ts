import type { CwlType } from "../../model/cwl-type.ts";
import type { InputParameter, OutputParameter } from "../../model/process.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { anything, boolean, text, textOrLines } from "../fields/scalar-readers.ts";
import { readFrom, type Reader } from "../fields/scope.ts";
import { shortName } from "../../values/resolve-reference.ts";
import { positionOf, type MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "./load-scope.ts";
import {
  loadListing,
  readContentsBinding,
  readFormat,
  readInputBinding,
  readOutputBinding,
  readOutputFormat,
  readSecondaryFiles,
} from "../type/read-binding.ts";
import { LINK, readLink, readSources } from "../step/read-link.ts";
import { readType } from "../type/read-type.ts";
import { checkDefault, readDefault } from "../type/read-default.ts";
import { isStream } from "./stream-shortcuts.ts";

const PARAMETER = {
  id: required(text),
  label: optional(text),
  doc: optional(textOrLines),
  type: required(readType),
  secondaryFiles: optional(readSecondaryFiles),
  streamable: optional(boolean),
  format: optional(readFormat),
};

const INPUT = {
  ...PARAMETER,
  default: optional(readDefault),
  loadContents: optional(boolean, { since: "v1.1" }),
  loadListing: optional(loadListing, { since: "v1.1" }),
};

const toolInputType: Reader<CwlType, LoadScope> = (node, scope) =>
  isStream(node, scope, "stdin") ? { kind: "File" } : readType(node, scope);
const toolOutputType: Reader<CwlType, LoadScope> = (node, scope) =>
  isStream(node, scope, "stdout") || isStream(node, scope, "stderr") ? { kind: "File" } : readType(node, scope);

const TOOL_INPUT = {
  ...INPUT,
  type: required(toolInputType),
  inputBinding: optional(readInputBinding),
};
const OTHER_INPUT = { ...INPUT, inputBinding: optional(readContentsBinding) };
/** Only an input can have several formats. */
const OUTPUT = { ...PARAMETER, format: optional(readOutputFormat) };
const TOOL_OUTPUT = {
  ...OUTPUT,
  type: required(toolOutputType),
  outputBinding: optional(readOutputBinding),
};
/** The schema of v1.0 allowed bindings on outputs that no command creates. */
const OTHER_OUTPUT = { ...OUTPUT, outputBinding: optional(anything, { until: "v1.0" }) };
const WORKFLOW_OUTPUT = {
  ...OTHER_OUTPUT,
  outputSource: optional(readSources),
  linkMerge: LINK.linkMerge,
  pickValue: LINK.pickValue,
};

/** An input of a CommandLineTool. An invalid type is reported and replaced by Any. */
export function readToolInput(node: MappingNode, scope: LoadScope): InputParameter | undefined {
  const { inputBinding, ...values } = readFields(node, TOOL_INPUT, scope);
  const input = inputParameter(node, { ...values, legacyContents: inputBinding?.loadContents }, scope);
  if (input === undefined) return undefined;
  return readFrom(node, { ...input, ...omitUndefined({ inputBinding: inputBinding?.binding }) }, scope);
}

/** An input of a Workflow, ExpressionTool or Operation. */
export function readOtherInput(node: MappingNode, scope: LoadScope): InputParameter | undefined {
  const { inputBinding, ...values } = readFields(node, OTHER_INPUT, scope);
  return inputParameter(node, { ...values, legacyContents: inputBinding }, scope);
}

/** An output of a CommandLineTool. */
export function readToolOutput(node: MappingNode, scope: LoadScope): OutputParameter | undefined {
  const { outputBinding, ...values } = readFields(node, TOOL_OUTPUT, scope);
  const output = parameter(node, values);
  if (output === undefined) return undefined;
  return readFrom(node, { ...output, ...omitUndefined({ outputBinding }) }, scope);
}

/** An output of an ExpressionTool or Operation. */
export function readOtherOutput(node: MappingNode, scope: LoadScope): OutputParameter | undefined {
  const { outputBinding: _, ...values } = readFields(node, OTHER_OUTPUT, scope);
  const output = parameter(node, values);
  return output === undefined ? undefined : readFrom(node, output, scope);
}

/** An output of a Workflow, with the link that feeds it. */
export function readWorkflowOutput(node: MappingNode, scope: LoadScope): OutputParameter | undefined {
  const { outputBinding: _, outputSource, linkMerge, pickValue, ...values } = readFields(node, WORKFLOW_OUTPUT, scope);
  const output = parameter(node, values);
  if (output === undefined) return undefined;
  const link = readLink({ source: outputSource, linkMerge, pickValue });
  return readFrom(node, outputSource === undefined ? output : { ...output, outputSource: link }, scope);
}

type ParameterValues = ReturnType<typeof readFields<LoadScope, typeof PARAMETER>>;
type InputValues = ReturnType<typeof readFields<LoadScope, typeof INPUT>> & {
  readonly legacyContents: boolean | undefined;
};

function inputParameter(node: MappingNode, values: InputValues, scope: LoadScope): InputParameter | undefined {
  const { loadContents, loadListing: listing, default: written, legacyContents, ...rest } = values;
  if (written !== undefined && rest.type !== undefined) checkDefault(written, rest.type, scope);
  const input = parameter(node, rest);
  if (input === undefined) return undefined;
  return readFrom(
    node,
    {
      ...input,
      ...omitUndefined({ default: written?.value, loadListing: listing }),
      loadContents: loadContents ?? legacyContents ?? false,
    },
    scope,
  );
}

function parameter(node: MappingNode, values: ParameterValues) {
  const { id, type = { kind: "Any" } as const, secondaryFiles = [], streamable = false, ...rest } = values;
  if (id === undefined) return undefined;
  return {
    ...omitUndefined(rest),
    id: shortName(id),
    type,
    secondaryFiles,
    streamable,
    position: positionOf(node),
  };
}
