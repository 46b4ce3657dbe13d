import type { Link, LinkMerge, PickValue } from "../../model/process.ts";
import { defined } from "../fields/collection-readers.ts";
import { shaped } from "../fields/field-info.ts";
import { optional } from "../fields/read-fields.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { text, word, wrongKind } from "../fields/scalar-readers.ts";
import type { Reader } from "../fields/scope.ts";
import { fragmentOf, resolveReference } from "../../values/resolve-reference.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "../process/load-scope.ts";

interface Sources {
  readonly names: readonly string[];
  readonly isList: boolean;
}

export const readSources: Reader<Sources, LoadScope> = shaped(
  {
    doc: "Where the value comes from: an input of the workflow or `step/output`.",
    type: "source or list",
    value: "source",
  },
  (node, scope) => {
    if (node.kind === "sequence")
      return { names: defined(node.items.map((item) => readSource(item, scope))), isList: true };
    if (node.kind === "scalar" && typeof node.value !== "string") {
      return wrongKind(node, scope, "the name of a source", "a constant is written as `default`");
    }
    return { names: defined([readSource(node, scope)]), isList: false };
  },
);

/** `#main/step/out`, `#step/out` and `step/out` all mean the output of a step of this workflow. */
function readSource(node: YamlNode, scope: LoadScope): string | undefined {
  const reference = text(node, scope);
  if (reference === undefined || !reference.includes("#")) return reference;
  const fragment = fragmentOf(resolveReference(reference, node.source.uri) ?? reference);
  const own = `${fragmentOf(scope.processUri)}/`;
  return fragment.startsWith(own) ? fragment.slice(own.length) : fragment;
}

/** Fields of everything that takes values from sources. CWL v1.2 Workflow.html#WorkflowStepInput. */
export const LINK = {
  source: optional(readSources),
  linkMerge: optional<LinkMerge>(word("merge_nested", "merge_flattened"), "How several sources become one list.", {
    default: "merge_nested",
  }),
  pickValue: optional<PickValue>(
    word("first_non_null", "the_only_non_null", "all_non_null"),
    "Which of several values to take, where steps may be skipped.",
    { since: "v1.2" },
  ),
};

export interface LinkValues {
  readonly source: Sources | undefined;
  readonly linkMerge: LinkMerge | undefined;
  readonly pickValue: PickValue | undefined;
}

export function readLink({ source, linkMerge, pickValue }: LinkValues): Link {
  return {
    source: source?.names ?? [],
    sourceIsList: source?.isList ?? false,
    ...omitUndefined({ linkMerge, pickValue }),
  };
}
