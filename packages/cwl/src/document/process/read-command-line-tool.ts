import type { InputBinding } from "../../model/binding.ts";
import type { CommandLineTool } from "../../model/process.ts";
import { listOf, listOrMap, oneOrList } from "../fields/collection-readers.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { integer, text } from "../fields/scalar-readers.ts";
import type { Reader } from "../fields/scope.ts";
import type { MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity } from "./load-scope.ts";
import { PROCESS_FIELDS, processBase } from "./process-fields.ts";
import { readInputBinding } from "../type/read-binding.ts";
import { readToolInput, readToolOutput } from "./read-parameter.ts";
import { spellOutStreams } from "./stream-shortcuts.ts";

const argument: Reader<string | InputBinding> = (node, scope) =>
  node.kind === "mapping" ? readInputBinding(node, scope)?.binding : text(node, scope);

const TOOL = {
  ...PROCESS_FIELDS,
  inputs: required(listOrMap({ subject: "id", predicate: "type", readItem: readToolInput })),
  outputs: required(listOrMap({ subject: "id", predicate: "type", readItem: readToolOutput })),
  baseCommand: optional(oneOrList(text)),
  arguments: optional(listOf(argument)),
  stdin: optional(text),
  stdout: optional(text),
  stderr: optional(text),
  successCodes: optional(listOf(integer)),
  temporaryFailCodes: optional(listOf(integer)),
  permanentFailCodes: optional(listOf(integer)),
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
