import type { CwlType } from "../../model/cwl-type.ts";
import type { InputParameter, OutputParameter } from "../../model/process.ts";
import { listOrMap } from "../fields/collection-readers.ts";
import { DESCRIPTION, ID } from "../fields/description-fields.ts";
import { shaped } from "../fields/field-info.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { anything, boolean } from "../fields/scalar-readers.ts";
import { readFrom, type Reader } from "../fields/scope.ts";
import { shortName } from "../../values/resolve-reference.ts";
import { positionOf, type MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "./load-scope.ts";
import {
  LOADING,
  readContentsBinding,
  readFormat,
  readInputBinding,
  readOutputBinding,
  readOutputFormat,
  readSecondaryFiles,
} from "../type/read-binding.ts";
import { LINK, readLink, readSources } from "../step/read-link.ts";
import { readType, TYPE_SHAPE } from "../type/read-type.ts";
import { checkDefault, readDefault } from "../type/read-default.ts";
import { isStream } from "./stream-shortcuts.ts";

const PARAMETER = {
  id: ID,
  ...DESCRIPTION,
  type: required(readType, "The type of the value; `?` makes it optional, `[]` makes it a list."),
  secondaryFiles: optional(readSecondaryFiles),
  streamable: optional(boolean, "A File is read or written once, from start to end.", { default: "false" }),
  format: optional(readFormat),
};

const INPUT = {
  ...PARAMETER,
  default: optional(readDefault),
  ...LOADING,
};

const toolInputType: Reader<CwlType, LoadScope> = shaped(TYPE_SHAPE, (node, scope) =>
  isStream(node, scope, "stdin") ? { kind: "File" } : readType(node, scope),
);
const toolOutputType: Reader<CwlType, LoadScope> = shaped(TYPE_SHAPE, (node, scope) =>
  isStream(node, scope, "stdout") || isStream(node, scope, "stderr") ? { kind: "File" } : readType(node, scope),
);

export const TOOL_INPUT = {
  ...INPUT,
  type: required(toolInputType, "The type of the value; `?` makes it optional, `[]` makes it a list."),
  inputBinding: optional(readInputBinding),
};
export const OTHER_INPUT = {
  ...INPUT,
  inputBinding: optional(readContentsBinding, "Only `loadContents` has an effect here."),
};
/** Only an input can have several formats. */
const OUTPUT = { ...PARAMETER, format: optional(readOutputFormat) };
export const TOOL_OUTPUT = {
  ...OUTPUT,
  type: required(toolOutputType, "The type of the value; `?` makes it optional, `[]` makes it a list."),
  outputBinding: optional(readOutputBinding),
};
/** The schema of v1.0 allowed bindings on outputs that no command creates. */
export const OTHER_OUTPUT = { ...OUTPUT, outputBinding: optional(anything, { until: "v1.0" }) };
export const WORKFLOW_OUTPUT = {
  ...OTHER_OUTPUT,
  outputSource: optional(readSources),
  linkMerge: LINK.linkMerge,
  pickValue: LINK.pickValue,
};

const listOfParameters = <T>(of: string, readItem: (node: MappingNode, scope: LoadScope) => T | undefined) =>
  listOrMap({ of, subject: "id", predicate: "type", readItem });

export const readToolInputs = listOfParameters("toolInput", readToolInput);
export const readOtherInputs = listOfParameters("otherInput", readOtherInput);
export const readToolOutputs = listOfParameters("toolOutput", readToolOutput);
export const readOtherOutputs = listOfParameters("otherOutput", readOtherOutput);
export const readWorkflowOutputs = listOfParameters("workflowOutput", readWorkflowOutput);

/** An input of a CommandLineTool. An invalid type is reported and replaced by Any. */
function readToolInput(node: MappingNode, scope: LoadScope): InputParameter | undefined {
  const { inputBinding, ...values } = readFields(node, TOOL_INPUT, scope);
  const input = inputParameter(node, { ...values, legacyContents: inputBinding?.loadContents }, scope);
  if (input === undefined) return undefined;
  return readFrom(node, { ...input, ...omitUndefined({ inputBinding: inputBinding?.binding }) }, scope);
}

/** An input of a Workflow, ExpressionTool or Operation. */
function readOtherInput(node: MappingNode, scope: LoadScope): InputParameter | undefined {
  const { inputBinding, ...values } = readFields(node, OTHER_INPUT, scope);
  return inputParameter(node, { ...values, legacyContents: inputBinding }, scope);
}

/** An output of a CommandLineTool. */
function readToolOutput(node: MappingNode, scope: LoadScope): OutputParameter | undefined {
  const { outputBinding, ...values } = readFields(node, TOOL_OUTPUT, scope);
  const output = parameter(node, values);
  if (output === undefined) return undefined;
  return readFrom(node, { ...output, ...omitUndefined({ outputBinding }) }, scope);
}

/** An output of an ExpressionTool or Operation. */
function readOtherOutput(node: MappingNode, scope: LoadScope): OutputParameter | undefined {
  const { outputBinding: _, ...values } = readFields(node, OTHER_OUTPUT, scope);
  const output = parameter(node, values);
  return output === undefined ? undefined : readFrom(node, output, scope);
}

/** An output of a Workflow, with the link that feeds it. */
function readWorkflowOutput(node: MappingNode, scope: LoadScope): OutputParameter | undefined {
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
