import type { Requirement, UnknownRequirement } from "../../model/requirement.ts";
import { listOrMap } from "../fields/collection-readers.ts";
import type { Severity } from "../../diagnostic.ts";
import { isSince, report, type Reader } from "../fields/scope.ts";
import { suggest } from "../../suggest.ts";
import { entryOf, textEntry, type MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { extensionIri, LOOP_REQUIREMENT, standardName } from "./extension-name.ts";
import { EXTENSION_READERS, REQUIREMENT_READERS } from "./requirement-tables.ts";

/** Reads `requirements`, all of which must be known. CWL v1.2 CommandLineTool.html#Requirements_and_hints. */
export const readRequirements: Reader<readonly Requirement[], LoadScope> = listOrMap({
  of: "requirement",
  subject: "class",
  readItem: (node: MappingNode, scope: LoadScope) => readRequirement(node, scope, "error"),
});

/** Reads `hints`. Keeps the name of an unknown hint, with a warning unless a prefix marks it as part of another vocabulary. */
export const readHints: Reader<readonly Requirement[], LoadScope> = listOrMap({
  of: "requirement",
  subject: "class",
  readItem: (node: MappingNode, scope: LoadScope) => readRequirement(node, scope, "warning"),
});

/** Reads one requirement or hint. `severity`: severity of the diagnostic for an unknown class. */
export function readRequirement(node: MappingNode, scope: LoadScope, severity: Severity): Requirement | undefined {
  const name = textEntry(node, "class");
  if (name === undefined)
    return report(scope, node, { code: "missing-field", message: "the field `class` is missing" });
  if (isLoop(node, scope)) return reportMisplacedLoop(node, scope);
  const extension = EXTENSION_READERS.get(extensionIri(name, scope));
  if (extension !== undefined) return extension.read(node, scope);
  const standard = standardName(name, scope);
  const reader = REQUIREMENT_READERS.get(standard);
  if (reader !== undefined && (isSince(scope, reader.since) || standard !== name)) return reader.read(node, scope);
  reportUnknown(node, name, scope, severity);
  return severity === "error" ? undefined : ({ class: "unknown", name } satisfies UnknownRequirement);
}

/** True for the extension that is meaningful only among the requirements of a step; the reader of steps handles it. */
export function isLoop(node: MappingNode, scope: LoadScope): boolean {
  const name = textEntry(node, "class");
  return name !== undefined && extensionIri(name, scope) === LOOP_REQUIREMENT;
}

function reportMisplacedLoop(node: MappingNode, scope: LoadScope): undefined {
  return report(scope, entryOf(node, "class")?.value ?? node, {
    code: "misplaced-loop",
    message: "`cwltool:Loop` is allowed only in the `requirements` of a workflow step",
  });
}

function reportUnknown(node: MappingNode, name: string, scope: LoadScope, severity: Severity): void {
  const since = REQUIREMENT_READERS.get(name)?.since;
  if (severity !== "error" && isForeign(name)) return;
  const kind = severity === "error" ? "requirement" : "hint";
  report(scope, entryOf(node, "class")?.value ?? node, {
    severity,
    code: severity === "error" ? "unsupported-requirement" : "unknown-hint",
    message: since === undefined ? `unknown ${kind} \`${name}\`` : `CWL ${scope.version} has no \`${name}\``,
    hint: since === undefined ? nameHint(name) : `CWL ${since} introduced it: write \`cwlVersion: ${since}\``,
  });
}

/** A prefix refers to another vocabulary, so such a hint is meant for another engine. */
function isForeign(name: string): boolean {
  return name.includes(":");
}

function nameHint(name: string): string | undefined {
  if (isForeign(name))
    return "only a runner that knows this requirement may run the document; if it may be ignored, move it to `hints`";
  const near = suggest(name, REQUIREMENT_READERS.keys());
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
