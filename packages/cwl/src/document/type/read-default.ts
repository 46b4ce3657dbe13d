import { checkType } from "../../check/check-type.ts";
import type { CwlType } from "../../model/cwl-type.ts";
import type { CwlValue } from "../../model/cwl-value.ts";
import { shaped } from "../fields/field-info.ts";
import { readingNull } from "../fields/read-fields.ts";
import { report, within, type Reader, type Scope } from "../fields/scope.ts";
import { asWritten } from "../yaml/locate-pointer.ts";
import { nodeAtPointer, pointerSegments } from "../yaml/node-at-pointer.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";
import { DEFAULT, readValue } from "./read-value.ts";

/** The `default` of an input as it was written, to be checked once the input's type is known. */
export interface WrittenDefault {
  readonly value: CwlValue;
  readonly node: YamlNode;
  /** False if a problem in the value has already been reported. */
  readonly isSound: boolean;
}

export const readDefault: Reader<WrittenDefault> = shaped(
  DEFAULT,
  readingNull((node: YamlNode, scope: Scope) => {
    const before = scope.diagnostics.length;
    const value = readValue(node, scope) ?? null;
    return { value, node, isSound: scope.diagnostics.length === before };
  }),
);

/**
 * Reports a default that does not fit its input's type, as a warning if it may be unused. Null counts as no default.
 * CWL v1.2 CommandLineTool.html#CommandInputParameter, `default`.
 */
export function checkDefault(written: WrittenDefault, type: CwlType, scope: Scope, isUsed = false): void {
  if (written.value === null || !written.isSound) return;
  const inDefault = within(scope, "default");
  for (const problem of checkType(type, written.value, "")) {
    const place = pointerSegments(problem.pointer).reduce(within, inDefault);
    const node = nodeAtPointer(written.node, problem.pointer);
    const { message, hint } = asWritten(problem, node);
    // An unused default does no harm; `checkInputs` refuses a wrong one that is used.
    report(place, node, { severity: isUsed ? problem.severity : "warning", code: problem.code, message, hint });
  }
}
