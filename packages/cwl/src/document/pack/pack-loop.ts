import type { JsonObject, JsonValue } from "../../model/json-value.ts";
import { isSinceVersion } from "../../model/cwl-version.ts";
import type { LoopInput, WorkflowStep } from "../../model/process.ts";
import { LOOP_REQUIREMENT } from "../requirement/extension-name.ts";
import { jsonObject } from "./json-object.ts";
import { packLink } from "./pack-link.ts";
import type { PackScope } from "./pack-scope.ts";
import { packValue } from "./pack-value.ts";

type LoopedStep = Pick<WorkflowStep, "loop">;

/** The fields of a looped step in v1.3; earlier versions have a requirement instead. */
export function packLoopFields(
  { loop }: LoopedStep,
  scope: PackScope,
): { readonly [field: string]: JsonValue | undefined } {
  if (loop === undefined || !isSinceVersion(scope.version, "v1.3.0-dev1")) return {};
  return {
    when: loop.when,
    loop: loop.inputs.map((input) => packLoopInput(input, "outputSource", scope)),
    outputMethod: loop.outputMethod === "all" ? "all_iterations" : undefined,
  };
}

/** The requirement of a looped step in v1.2, if any. */
export function packLoopRequirement({ loop }: LoopedStep, scope: PackScope): readonly JsonObject[] {
  if (loop === undefined || isSinceVersion(scope.version, "v1.3.0-dev1")) return [];
  const requirement = {
    class: LOOP_REQUIREMENT,
    loopWhen: loop.when,
    loop: loop.inputs.map((input) => packLoopInput(input, "loopSource", scope)),
    outputMethod: loop.outputMethod === "all" ? "all" : undefined,
  };
  return [jsonObject(requirement)];
}

function packLoopInput(input: LoopInput, field: "loopSource" | "outputSource", scope: PackScope): JsonObject {
  const value = input.default === undefined ? undefined : packValue(input.default, scope);
  return jsonObject({ id: input.id, valueFrom: input.valueFrom, default: value, ...packLink(input, field) });
}
