import { listOf } from "../fields/collection-readers.ts";
import { expandPrefix } from "../fields/extension-field.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, type readFields, required } from "../fields/read-fields.ts";
import { CONTEXT_FIELDS } from "../fields/context-fields.ts";
import { anything, text, textOrLines } from "../fields/scalar-readers.ts";
import type { Reader } from "../fields/scope.ts";
import { positionOf, type MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity } from "./load-scope.ts";
import { readHints, readRequirements } from "../requirement/read-requirement.ts";
import { versionDefaults } from "../requirement/version-defaults.ts";

const intent: Reader<readonly string[]> = listOf((node, scope) => {
  const iri = text(node, scope);
  return iri === undefined ? undefined : expandPrefix(iri, scope);
});

/**
 * The fields that every process has in addition to `inputs` and `outputs`. CWL v1.2
 * CommandLineTool.html#CommandLineTool.
 */
export const PROCESS_FIELDS = {
  class: required(text),
  id: optional(text),
  label: optional(text),
  doc: optional(textOrLines),
  cwlVersion: optional(anything),
  requirements: optional(readRequirements),
  hints: optional(readHints),
  intent: optional(intent, { since: "v1.2" }),
  ...CONTEXT_FIELDS,
};

type ProcessValues = ReturnType<typeof readFields<LoadScope, typeof PROCESS_FIELDS>>;

/** The part of the model that all processes share, upgraded to v1.2. */
export function processBase(node: MappingNode, values: ProcessValues, identity: ProcessIdentity, scope: LoadScope) {
  const { label, doc, requirements = [], hints = [], intent: intents = [] } = values;
  return {
    ...omitUndefined({ label, doc }),
    id: identity.uri,
    name: identity.name,
    cwlVersion: scope.version,
    requirements,
    hints,
    defaults: versionDefaults(scope.version),
    intent: intents,
    position: positionOf(node),
  };
}
