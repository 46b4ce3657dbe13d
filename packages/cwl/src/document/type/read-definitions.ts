import type { CwlType } from "../../model/cwl-type.ts";
import { listOf, reportTwice } from "../fields/collection-readers.ts";
import { within, type Reader } from "../fields/scope.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { identifierUri, shortName } from "../../values/resolve-reference.ts";
import { textEntry, type YamlNode } from "../yaml/yaml-node.ts";
import { readType } from "./read-type.ts";

const readTypes: Reader<readonly CwlType[], LoadScope> = listOf(readType);

/** Reads types, each name defined once. CWL v1.2 CommandLineTool.html#SchemaDefRequirement. A file may be imported twice. */
export const readDefinitions: Reader<readonly CwlType[], LoadScope> = (node, scope) => {
  const seen = new Map<string, YamlNode>();
  for (const [index, item] of node.kind === "sequence" ? node.items.entries() : []) {
    const name = textEntry(item, "name");
    if (name === undefined) continue;
    const uri = identifierUri(name, item.source.uri);
    const first = seen.get(uri);
    if (first === undefined) seen.set(uri, item);
    else if (first.offset !== item.offset) reportTwice(item, shortName(name), first, within(scope, String(index)));
  }
  return readTypes(node, scope);
};
