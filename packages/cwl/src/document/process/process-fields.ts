import { listOf } from "../fields/collection-readers.ts";
import { DESCRIPTION, ID } from "../fields/description-fields.ts";
import { expandPrefix } from "../fields/extension-field.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, type readFields, required } from "../fields/read-fields.ts";
import { CONTEXT_FIELDS } from "../fields/context-fields.ts";
import { anything, text } from "../fields/scalar-readers.ts";
import type { Reader } from "../fields/scope.ts";
import { CWL_VERSIONS } from "../../model/cwl-version.ts";
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
  class: required(text, "What the document describes.", {
    type: "word",
    words: ["CommandLineTool", "Workflow", "ExpressionTool", "Operation"],
  }),
  id: { ...ID, required: false },
  ...DESCRIPTION,
  cwlVersion: optional(anything, "The version of CWL that the document is written for.", {
    type: "word",
    words: CWL_VERSIONS,
  }),
  requirements: optional(readRequirements, "What a runner must provide; an unknown requirement stops the run."),
  hints: optional(readHints, "What a runner may provide; it ignores what it does not know."),
  intent: optional(intent, "What the process is for, by terms of an ontology.", {
    since: "v1.2",
    type: "list of IRIs",
  }),
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
