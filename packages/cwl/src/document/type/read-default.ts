import { checkType } from "../../check/check-type.ts";
import type { CwlType } from "../../model/cwl-type.ts";
import type { CwlValue } from "../../model/cwl-value.ts";
import { readingNull } from "../fields/read-fields.ts";
import { report, within, type Reader, type Scope } from "../fields/scope.ts";
import { nodeAtPointer, pointerSegments } from "../yaml/node-at-pointer.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";
import { readValue } from "./read-value.ts";

/** The `default` of an input as it was written, to be checked once the input's type is known. */
export interface WrittenDefault {
  readonly value: CwlValue;
  readonly node: YamlNode;
  /** False if something in the value has been reported already. */
  readonly isSound: boolean;
}

export const readDefault: Reader<WrittenDefault> = readingNull((node: YamlNode, scope: Scope) => {
  const before = scope.diagnostics.length;
  const value = readValue(node, scope) ?? null;
  return { value, node, isSound: scope.diagnostics.length === before };
});

/**
 * Reports each place where a default does not fit its input's type. Null fits all: it counts as no default.
 * CWL v1.2 CommandLineTool.html#CommandInputParameter, `default`.
 */
export function checkDefault(written: WrittenDefault, type: CwlType, scope: Scope): void {
  if (written.value === null || !written.isSound) return;
  const inDefault = within(scope, "default");
  for (const { pointer, severity, code, message, hint } of checkType(type, written.value, "")) {
    const place = pointerSegments(pointer).reduce(within, inDefault);
    report(place, nodeAtPointer(written.node, pointer), { severity, code, message, hint });
  }
}
