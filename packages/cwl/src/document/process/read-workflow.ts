import type { Workflow } from "../../model/process.ts";
import { listOrMap } from "../fields/collection-readers.ts";
import { readFields, required } from "../fields/read-fields.ts";
import type { MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity } from "./load-scope.ts";
import { PROCESS_FIELDS, processBase } from "./process-fields.ts";
import { readOtherInput, readWorkflowOutput } from "./read-parameter.ts";
import { readStep } from "../step/read-step.ts";

const WORKFLOW = {
  ...PROCESS_FIELDS,
  inputs: required(listOrMap({ subject: "id", predicate: "type", readItem: readOtherInput })),
  outputs: required(listOrMap({ subject: "id", predicate: "type", readItem: readWorkflowOutput })),
  steps: required(listOrMap({ subject: "id", readItem: readStep })),
};

/** CWL v1.2 Workflow.html#Workflow. */
export function readWorkflow(node: MappingNode, identity: ProcessIdentity, scope: LoadScope): Workflow {
  const { inputs = [], outputs = [], steps = [], ...values } = readFields(node, WORKFLOW, scope);
  return {
    class: "Workflow",
    ...processBase(node, values, identity, scope),
    inputs,
    outputs,
    steps,
  };
}
