import { CWL_VERSIONS, type CwlVersion } from "@weft/cwl/model/cwl-version.ts";
import { parseYaml } from "@weft/cwl/document/yaml/parse-yaml.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";
import { entryOf, textEntry, type MappingNode, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import { insertRequirement } from "./insert-requirement.ts";
import { applyEdits, type Edit } from "./upgrade/apply-edits.ts";
import { upgradeDraft3 } from "./upgrade/upgrade-draft-3.ts";

export type Upgrade =
  | { readonly kind: "upgraded"; readonly text: string; readonly from: string; readonly changes: readonly string[] }
  /** The document is already written for v1.2. */
  | { readonly kind: "current" }
  | { readonly kind: "refused"; readonly problems: readonly string[]; readonly hint: string };

const TARGET: CwlVersion = "v1.2";

/** Matches the spellings of draft versions, including those of packed documents. */
const DRAFT = /^(?:cwl:|https:\/\/w3id\.org\/cwl\/cwl#)?draft-([1-3])(?:\.dev\d+)?$/;

/**
 * Upgrades a document of CWL draft-3, v1.0 or v1.1, or of a draft of v1.1 or v1.2, to v1.2 with the same meaning. Changes
 * only the necessary lines, and keeps comments, order and formatting.
 */
export function upgradeDocument(uri: string, text: string): Upgrade {
  const { root } = parseYaml(new SourceText(uri, text));
  const version = root?.kind === "mapping" ? entryOf(root, "cwlVersion")?.value : undefined;
  if (root === undefined || version?.kind !== "scalar" || typeof version.value !== "string")
    return refused("the document has no `cwlVersion`", "only the document that declares a version can be upgraded");
  const from = version.value;
  const base = /^(v1\.[012])(?:\.\d+)?-dev\d+$/.exec(from)?.[1] ?? from;
  if (from === TARGET || from.startsWith("v1.3")) return { kind: "current" };
  const draft = DRAFT.exec(from)?.[1];
  if (draft === "3" && root.kind === "mapping") return upgradeDraft(uri, from, root);
  if (draft !== undefined)
    return refused(
      `\`${from}\` is too old`,
      "rewrite it by hand as v1.2: no program can translate its expressions with engines",
    );
  if (!CWL_VERSIONS.some((known) => known === base))
    return refused(
      `\`${from}\` cannot be upgraded`,
      "rewrite it by hand as v1.0 first: draft-3, v1.0 and v1.1 can be upgraded",
    );
  const edits: Edit[] = [{ offset: version.offset, end: version.end, text: TARGET }];
  const changes = [`cwlVersion: ${from} is now ${TARGET}`];
  if (base === "v1.0") for (const tool of toolsIn(root)) addDefaults(tool, edits, changes);
  return { kind: "upgraded", text: applyEdits(text, edits), from, changes };
}

function upgradeDraft(uri: string, from: string, root: MappingNode): Upgrade {
  const { text, changes, problems } = upgradeDraft3(root);
  if (problems.length > 0) return { kind: "refused", problems, hint: "change these lines by hand, and try again" };
  const upgrade = upgradeDocument(uri, text);
  if (upgrade.kind !== "upgraded") return upgrade;
  const [, ...added] = upgrade.changes;
  return { ...upgrade, from, changes: [`cwlVersion: ${from} is now ${TARGET}`, ...changes, ...added] };
}

function refused(problem: string, hint: string): Upgrade {
  return { kind: "refused", problems: [problem], hint };
}

/** The tools that the document itself describes, including those within steps. */
function* toolsIn(node: YamlNode): Generator<MappingNode> {
  if (node.kind === "scalar") return;
  if (node.kind === "mapping" && textEntry(node, "class") === "CommandLineTool") yield node;
  const children = node.kind === "sequence" ? node.items : node.entries.map(({ value }) => value);
  for (const child of children) yield* toolsIn(child);
}

/** Features that v1.0 enables by default and v1.2 only on request. CWL v1.1 CommandLineTool.html#Changelog. */
const DEFAULTS = [
  {
    name: "NetworkAccess",
    body: "{networkAccess: true}",
    why: "tools before v1.1 may use the network",
    concerns: () => true,
  },
  {
    name: "LoadListingRequirement",
    body: "{loadListing: deep_listing}",
    why: "versions before v1.1 list folders recursively",
    concerns: (tool: MappingNode) => [...scalarsIn(tool)].some((text) => /\bDirectory\b/.test(text)),
  },
];

function addDefaults(tool: MappingNode, edits: Edit[], changes: string[]): void {
  for (const { name, body, why, concerns } of DEFAULTS) {
    if (!concerns(tool) || [...scalarsIn(tool)].includes(name)) continue;
    const inserted = insertRequirement(tool, { field: "hints", name, body });
    if (inserted === undefined) continue;
    const { line } = tool.source.positionAt(tool.offset);
    changes.push(`line ${line}: hint ${name} added, because ${why}`);
    merge(edits, { offset: inserted.offset, end: inserted.offset, text: inserted.text });
  }
}

/** Adds an edit, merged with an earlier one at the same position: a second hint follows the first one. */
function merge(edits: Edit[], added: Edit): void {
  const index = edits.findIndex(({ offset, end }) => offset === added.offset && end === offset);
  const before = edits[index];
  if (before === undefined) edits.push(added);
  else if (added.text.startsWith("\n"))
    edits[index] = { ...before, text: `${before.text}\n${added.text.split("\n").slice(2).join("\n")}` };
  else edits[index] = { ...before, text: withoutField(before.text, added.text) };
}

/** Joins two inserted texts. In flow style, `hints: {A: {}}, ` and `hints: {B: {}}, ` become one map. */
function withoutField(first: string, second: string): string {
  const [, inner] = /^hints: \{(.*)\}, $/.exec(second) ?? [];
  return inner === undefined ? first + second : first.replace(/\}, $/, `, ${inner}}, `);
}

/** All scalars of a tool as strings, including the keys of its maps. */
function* scalarsIn(node: YamlNode): Generator<string> {
  if (node.kind === "scalar") yield String(node.value);
  else if (node.kind === "sequence") for (const item of node.items) yield* scalarsIn(item);
  else
    for (const { key, value } of node.entries) {
      yield key;
      yield* scalarsIn(value);
    }
}
