import type { InputBinding } from "../../model/binding.ts";
import type { CommandLineTool } from "../../model/process.ts";
import { listOf, oneOrList } from "../fields/collection-readers.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { integer, text } from "../fields/scalar-readers.ts";
import type { Reader } from "../fields/scope.ts";
import type { MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity } from "./load-scope.ts";
import { PROCESS_FIELDS, processBase } from "./process-fields.ts";
import { readInputBinding } from "../type/read-binding.ts";
import { readToolInputs, readToolOutputs } from "./read-parameter.ts";
import { spellOutStreams } from "./stream-shortcuts.ts";

const argument: Reader<string | InputBinding> = (node, scope) =>
  node.kind === "mapping" ? readInputBinding(node, scope)?.binding : text(node, scope);

export const TOOL = {
  ...PROCESS_FIELDS,
  inputs: required(readToolInputs, "The parameters of the tool."),
  outputs: required(readToolOutputs, "What the tool produces."),
  baseCommand: optional(oneOrList(text), "The program and its first arguments."),
  arguments: optional(listOf(argument), "Arguments that do not come from an input.", {
    type: "list",
    of: "inputBinding",
  }),
  stdin: optional(text, "The file to read as standard input.", { type: "path or expression" }),
  stdout: optional(text, "The file for standard output.", { type: "name or expression" }),
  stderr: optional(text, "The file for standard error.", { type: "name or expression" }),
  successCodes: optional(listOf(integer), "Exit codes that mean success.", { default: "[0]" }),
  temporaryFailCodes: optional(listOf(integer), "Exit codes of temporary failures."),
  permanentFailCodes: optional(listOf(integer), "Exit codes of permanent failures."),
};

/** CWL v1.2 CommandLineTool.html#CommandLineTool; the shortcuts `stdin`, `stdout` and `stderr` are spelled out. */
export function readCommandLineTool(node: MappingNode, identity: ProcessIdentity, scope: LoadScope): CommandLineTool {
  const {
    inputs = [],
    outputs = [],
    baseCommand = [],
    arguments: args = [],
    ...values
  } = readFields(node, TOOL, scope);
  const tool: CommandLineTool = {
    class: "CommandLineTool",
    ...processBase(node, values, identity, scope),
    inputs,
    outputs,
    baseCommand,
    arguments: args,
    ...omitUndefined({ stdin: values.stdin, stdout: values.stdout, stderr: values.stderr }),
    successCodes: values.successCodes ?? [],
    temporaryFailCodes: values.temporaryFailCodes ?? [],
    permanentFailCodes: values.permanentFailCodes ?? [],
  };
  return spellOutStreams(tool, scope);
}
