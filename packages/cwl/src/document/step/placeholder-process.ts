import type { InputParameter, Operation, StepInput } from "../../model/process.ts";
import { positionOf, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "../process/load-scope.ts";

interface StepShape {
  readonly id: string;
  readonly in: readonly StepInput[];
  readonly out: readonly string[];
}

/** An Operation that takes and gives what a step passes, for a step whose own process could not be read. */
export function placeholderProcess(step: StepShape, node: YamlNode, scope: LoadScope): Operation {
  const position = positionOf(node);
  const any = { type: { kind: "Any" }, secondaryFiles: [], streamable: false, position } as const;
  const inputs: InputParameter[] = step.in.map(({ id }) => ({
    ...any,
    id,
    loadContents: false,
    default: null,
  }));
  return {
    class: "Operation",
    id: `${scope.processUri}${scope.processUri.includes("#") ? "/" : "#"}${step.id}/run`,
    name: step.id,
    cwlVersion: scope.version,
    inputs,
    outputs: step.out.map((id) => ({ ...any, id })),
    requirements: [],
    hints: [],
    intent: [],
    position,
  };
}
