import type { Requirement, UnknownRequirement } from "../../model/requirement.ts";
import { listOrMap } from "../fields/collection-readers.ts";
import { expandPrefix } from "../fields/extension-field.ts";
import type { Severity } from "../../diagnostic.ts";
import { isSince, report, type Reader } from "../fields/scope.ts";
import { suggest } from "../fields/suggest.ts";
import { entryOf, textEntry, type MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { REQUIREMENT_READERS } from "./requirement-tables.ts";

/** `requirements`: each must be known. CWL v1.2 CommandLineTool.html#Requirements_and_hints. */
export const readRequirements: Reader<readonly Requirement[], LoadScope> = listOrMap({
  subject: "class",
  readItem: (node: MappingNode, scope: LoadScope) => readRequirement(node, scope, "error"),
});

/** `hints`: one that nobody knows is kept by its name, with a warning. */
export const readHints: Reader<readonly Requirement[], LoadScope> = listOrMap({
  subject: "class",
  readItem: (node: MappingNode, scope: LoadScope) => readRequirement(node, scope, "warning"),
});

const CWLTOOL_EXTENSIONS = "http://commonwl.org/cwltool#";
const CWL = "https://w3id.org/cwl/cwl#";

function readRequirement(node: MappingNode, scope: LoadScope, severity: Severity): Requirement | undefined {
  const name = textEntry(node, "class");
  if (name === undefined)
    return report(scope, node, { code: "missing-field", message: "the field `class` is missing" });
  const standard = standardName(name, scope);
  const reader = REQUIREMENT_READERS.get(standard);
  if (reader !== undefined && (isSince(scope, reader.since) || standard !== name)) return reader.read(node, scope);
  reportUnknown(node, name, scope, severity);
  return severity === "error" ? undefined : ({ class: "unknown", name } satisfies UnknownRequirement);
}

/** Extensions of the reference runner that later became part of the standard are the standard ones. */
function standardName(name: string, scope: LoadScope): string {
  const iri = name.startsWith("cwltool:")
    ? CWLTOOL_EXTENSIONS + name.slice("cwltool:".length)
    : expandPrefix(name, scope);
  if (iri === `${CWLTOOL_EXTENSIONS}TimeLimit`) return "ToolTimeLimit";
  const prefix = [CWLTOOL_EXTENSIONS, CWL].find((candidate) => iri.startsWith(candidate));
  return prefix === undefined ? name : iri.slice(prefix.length);
}

function reportUnknown(node: MappingNode, name: string, scope: LoadScope, severity: Severity): void {
  const since = REQUIREMENT_READERS.get(name)?.since;
  const kind = severity === "error" ? "requirement" : "hint";
  report(scope, entryOf(node, "class")?.value ?? node, {
    severity,
    code: `unknown-${kind}`,
    message: since === undefined ? `unknown ${kind} \`${name}\`` : `CWL ${scope.version} has no \`${name}\``,
    hint: since === undefined ? nameHint(name) : `it came with ${since}: write \`cwlVersion: ${since}\``,
  });
}

/** Who writes a prefix means somebody else's vocabulary. */
function nameHint(name: string): string | undefined {
  const near = name.includes(":") ? undefined : suggest(name, REQUIREMENT_READERS.keys());
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
