import { holdsExpression } from "../../expression/parse-template.ts";
import type { WorkDirEntry } from "../../model/requirement.ts";
import { defined } from "../fields/collection-readers.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required } from "../fields/read-fields.ts";
import { boolean, text, wrongKind } from "../fields/scalar-readers.ts";
import { isSince, within, type Reader, type Scope } from "../fields/scope.ts";
import { entryOf, textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import { readValue } from "../type/read-value.ts";

/** InitialWorkDirRequirement.listing: one expression, or a list. CWL v1.2 CommandLineTool.html#InitialWorkDirRequirement. */
export const readWorkDirListing: Reader<string | readonly WorkDirEntry[]> = (node, scope) => {
  if (node.kind === "mapping") return wrongKind(node, scope, "a list or an expression", "put the entry into a list");
  if (node.kind === "scalar") return readExpression(node, scope);
  return defined(node.items.map((item, index) => readEntry(item, within(scope, String(index)))));
};

export const DIRENT = {
  entry: required(text, "The content of the file, or a File or Directory.", { type: "text or expression" }),
  entryname: optional(text, "The name of the file.", { type: "name or expression" }),
  writable: optional(boolean, "The job may change it.", { default: "false" }),
};

function readEntry(node: YamlNode, scope: Scope): WorkDirEntry | undefined {
  switch (node.kind) {
    case "scalar":
      return node.value === null ? { kind: "value", value: null } : readExpressionEntry(node, scope);
    case "sequence":
      return readFiles(node.items, node, scope);
    case "mapping":
      return entryOf(node, "class") === undefined
        ? readDirent(node, scope)
        : { kind: "value", value: readValue(node, scope) ?? null };
  }
}

/** An inner list can hold only Files and Directories. */
function readFiles(items: readonly YamlNode[], node: YamlNode, scope: Scope): WorkDirEntry | undefined {
  const other = items.find((item) => textEntry(item, "class") === undefined);
  if (other === undefined) return { kind: "value", value: readValue(node, scope) ?? null };
  return wrongKind(other, scope, "a File or a Directory, as the inner list can hold nothing else");
}

/** Refuses a string without an expression, which is not a file; v1.0 allowed such a string, without any effect. */
function readExpression(node: YamlNode, scope: Scope): string | undefined {
  const expression = text(node, scope);
  if (expression === undefined || holdsExpression(expression) || !isSince(scope, "v1.1")) return expression;
  const hint = "to create a file with this text, write `{entryname: name, entry: text}`";
  return wrongKind(node, scope, "an expression such as `$(inputs.file)`", hint);
}

function readExpressionEntry(node: YamlNode, scope: Scope): WorkDirEntry | undefined {
  const expression = readExpression(node, scope);
  return expression === undefined ? undefined : { kind: "expression", expression };
}

function readDirent(node: MappingNode, scope: Scope): WorkDirEntry | undefined {
  const { entry, entryname, writable = false } = readFields(node, DIRENT, scope);
  return entry === undefined ? undefined : { kind: "dirent", entry, ...omitUndefined({ entryname }), writable };
}
