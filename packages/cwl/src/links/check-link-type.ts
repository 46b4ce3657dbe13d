import { typeText } from "../model/type-text.ts";
import { assignability, type Assignability } from "../model/assignability.ts";
import type { CwlType } from "../model/cwl-type.ts";
import type { Link } from "../model/process.ts";
import type { FindingPlace, LinkFindings } from "./link-findings.ts";
import { acceptsNull, withoutNull, type LinkSource } from "./link-source.ts";

/** The step input or workflow output that a link feeds. */
export interface LinkSink {
  readonly type: CwlType;
  /** A description for messages. */
  readonly name: string;
  /** True for a step that could scatter over a list. */
  readonly canScatter: boolean;
  /** True if null does no harm, because a default replaces it or a condition excludes it. */
  readonly toleratesNull: boolean;
}

/** Reports each source of a link whose values never (error) or not always (warning) fit the sink. */
export function checkLinkType(
  link: Link,
  sources: readonly LinkSource[],
  sink: LinkSink,
  at: FindingPlace,
  findings: LinkFindings,
): void {
  for (const source of sources) {
    const types = linkedTypes(link, source.type).map((type) => (sink.toleratesNull ? withoutNullDeep(type) : type));
    const verdicts = new Set(types.map((type) => assignability(type, sink.type)));
    const [type] = types;
    if (type === undefined || verdicts.has("yes")) continue;
    const verdict = verdicts.has("maybe") ? "maybe" : "no";
    findings.add(at, {
      severity: verdict === "no" ? "error" : "warning",
      code: "type-mismatch",
      message: `\`${source.name}\` gives ${typeText(type)}, but ${sink.name} takes ${verdict === "no" ? "" : "only "}${typeText(sink.type)}`,
      hint: mismatchHint(type, sink, verdict),
    });
  }
}

/**
 * The type that a source contributes after `linkMerge` and `pickValue`. Returns two types if the specification is
 * ambiguous: some runners pass on a list of one source without `linkMerge` as it is, others as a list of one item.
 */
function linkedTypes(link: Link, type: CwlType): readonly CwlType[] {
  const isMerged = link.source.length > 1 || link.linkMerge !== undefined;
  if (!isMerged && !link.sourceIsList) return [picked(link, type)];
  const merged: CwlType = { kind: "array", items: link.linkMerge === "merge_flattened" ? flattened(type) : type };
  return isMerged ? [picked(link, merged)] : [picked(link, type), picked(link, merged)];
}

/** The type of the items that a value adds to a flat list: its elements, or the value itself if it is not a list. */
function flattened(type: CwlType): CwlType {
  if (type.kind === "array") return type.items;
  if (type.kind !== "union") return type;
  const options = new Map(
    type.options
      .map(flattened)
      .flatMap((item) => (item.kind === "union" ? item.options : [item]))
      .map((item) => [typeText(item), item]),
  );
  const [only, second] = options.values();
  return only === undefined || second !== undefined ? { kind: "union", options: [...options.values()] } : only;
}

/** CWL v1.2 Workflow.html#PickValueMethod. */
function picked(link: Link, type: CwlType): CwlType {
  if (link.pickValue === undefined || type.kind !== "array") return type;
  const items = withoutNull(type.items);
  return link.pickValue === "all_non_null" ? { kind: "array", items } : items;
}

function mismatchHint(source: CwlType, sink: LinkSink, verdict: Assignability): string | undefined {
  if (verdict === "maybe") return acceptsNull(source) ? NULL_HINT : undefined;
  const value = withoutNull(source);
  if (value.kind === "array" && assignability(value.items, sink.type) !== "no") {
    if (sink.canScatter) return "`scatter` over it, or take one element with `valueFrom`";
    return `declare it as ${typeText(source)}`;
  }
  const asList = assignability({ kind: "array", items: source }, sink.type);
  return asList === "no" ? undefined : "write the source as a list with `linkMerge: merge_nested`";
}

const NULL_HINT = "null may arrive here: give a `default`, use `pickValue`, or make the input optional";

function withoutNullDeep(type: CwlType): CwlType {
  const value = withoutNull(type);
  return value.kind === "array" ? { ...value, items: withoutNullDeep(value.items) } : value;
}
