import type { ExpressionTool, Operation } from "../../model/process.ts";
import { listOrMap } from "../fields/collection-readers.ts";
import { readFields, required } from "../fields/read-fields.ts";
import { expression } from "../fields/scalar-readers.ts";
import type { MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity } from "./load-scope.ts";
import { PROCESS_FIELDS, processBase } from "./process-fields.ts";
import { readOtherInput, readOtherOutput } from "./read-parameter.ts";

const OPERATION = {
  ...PROCESS_FIELDS,
  inputs: required(listOrMap({ subject: "id", predicate: "type", readItem: readOtherInput })),
  outputs: required(listOrMap({ subject: "id", predicate: "type", readItem: readOtherOutput })),
};

const EXPRESSION_TOOL = { ...OPERATION, expression: required(expression) };

/** CWL v1.2 Workflow.html#ExpressionTool. */
export function readExpressionTool(
  node: MappingNode,
  identity: ProcessIdentity,
  scope: LoadScope,
): ExpressionTool | undefined {
  const { expression: code, inputs = [], outputs = [], ...values } = readFields(node, EXPRESSION_TOOL, scope);
  if (code === undefined) return undefined;
  return {
    class: "ExpressionTool",
    ...processBase(node, values, identity, scope),
    inputs,
    outputs,
    expression: code,
  };
}

/** CWL v1.2 Workflow.html#Operation. */
export function readOperation(node: MappingNode, identity: ProcessIdentity, scope: LoadScope): Operation {
  const { inputs = [], outputs = [], ...values } = readFields(node, OPERATION, scope);
  return { class: "Operation", ...processBase(node, values, identity, scope), inputs, outputs };
}
