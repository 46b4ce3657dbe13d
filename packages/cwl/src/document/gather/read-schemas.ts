import type { DocumentReader, LoadedSource } from "../document-reader.ts";
import { defined } from "../fields/collection-readers.ts";
import { report, within, type Scope } from "../fields/scope.ts";
import { resolveReference, withoutFragment } from "../resolve-reference.ts";
import { describeNode, entryOf, type YamlNode } from "../yaml/yaml-node.ts";

/**
 * The ontologies that documents name in `$schemas`, in their order, each once. They are knowledge beside the documents:
 * one that cannot be read is a warning. Nothing is fetched from other machines.
 * CWL v1.2 CommandLineTool.html#Extensions_and_metadata.
 */
export async function readSchemas(
  roots: readonly YamlNode[],
  reader: DocumentReader,
  scope: Scope,
): Promise<readonly LoadedSource[]> {
  const inSchemas = within(scope, "$schemas");
  const nodes = new Map(roots.flatMap(schemaNodes).map((node) => [addressOf(node) ?? node, node]));
  return defined(await Promise.all([...nodes.values()].map((node) => readSchema(node, reader, inSchemas))));
}

function schemaNodes(root: YamlNode): readonly YamlNode[] {
  const declared = root.kind === "mapping" ? entryOf(root, "$schemas")?.value : undefined;
  if (declared === undefined || (declared.kind === "scalar" && declared.value === null)) return [];
  return declared.kind === "sequence" ? declared.items : [declared];
}

async function readSchema(node: YamlNode, reader: DocumentReader, scope: Scope): Promise<LoadedSource | undefined> {
  const uri = addressOf(node);
  if (uri === undefined) return warn(node, scope, `expected the address of an ontology, found ${describeNode(node)}`);
  if (!FILE_OF_THIS_MACHINE.test(uri))
    return warn(node, scope, `\`${uri}\` is not read: only files of this machine are`, COPY_HINT);
  const text = await reader.read(uri);
  return text === undefined ? warn(node, scope, `nothing readable at ${uri}`) : { uri, text };
}

function addressOf(node: YamlNode): string | undefined {
  const reference = node.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
  const address = reference === undefined ? undefined : resolveReference(reference, node.source.uri);
  return address === undefined ? undefined : withoutFragment(address);
}

/** Without a host, and without escapes that no path can stand for. */
const FILE_OF_THIS_MACHINE = /^file:\/\/\/(?!.*(%(?![0-9a-f]{2})|%2f|%00))/i;

const COPY_HINT = "name a copy beside the document, if formats of files depend on it";

function warn(node: YamlNode, scope: Scope, message: string, hint?: string): undefined {
  return report(scope, node, { severity: "warning", code: "unreadable-schema", message, hint });
}
