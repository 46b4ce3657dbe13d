import { identifierUri } from "../resolve-reference.ts";
import { entryOf, textEntry, type YamlNode } from "../yaml/yaml-node.ts";

/** The object of a document whose `id` or `name` resolves to the URI: the root, or an item of a list in it. */
export function selectFragment(root: YamlNode, uri: string): YamlNode | undefined {
  return candidates(root).find((node) => {
    const identifier = textEntry(node, "id") ?? textEntry(node, "name");
    return identifier !== undefined && identifierUri(identifier, node.source.uri) === uri;
  });
}

function candidates(root: YamlNode): readonly YamlNode[] {
  if (root.kind === "sequence") return root.items;
  if (root.kind === "scalar") return [];
  const lists = ["$graph", "types"].map((key) => entryOf(root, key)?.value);
  return [root, ...lists.flatMap((list) => (list?.kind === "sequence" ? list.items : []))];
}
