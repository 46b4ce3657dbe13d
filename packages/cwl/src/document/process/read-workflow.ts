import type { Workflow } from "../../model/process.ts";
import { listOrMap } from "../fields/collection-readers.ts";
import { readFields, required } from "../fields/read-fields.ts";
import type { MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity } from "./load-scope.ts";
import { PROCESS_FIELDS, processBase } from "./process-fields.ts";
import { readOtherInputs, readWorkflowOutputs } from "./read-parameter.ts";
import { readStep } from "../step/read-step.ts";

export const WORKFLOW = {
  ...PROCESS_FIELDS,
  inputs: required(readOtherInputs, "The parameters of the workflow."),
  outputs: required(readWorkflowOutputs, "What the workflow produces."),
  steps: required(
    listOrMap({ of: "step", subject: "id", readItem: readStep }),
    "The processes that the workflow runs.",
  ),
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
