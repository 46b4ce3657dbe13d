import type { GraphNodeRecord, GraphRecord } from "../records/process-record.ts";

/**
 * Identifies a node of a graph on its page and in the URL: a step's own path (`outer/inner`), otherwise the node's id
 * after the path of its network.
 */
export function graphNodePath(node: GraphNodeRecord, prefix: string): string {
  return node.step ?? prefix + node.id;
}

/** The node with this path, in the graph or in one of its nested networks. */
export function findGraphNode(graph: GraphRecord, path: string, prefix = ""): GraphNodeRecord | undefined {
  for (const node of graph.nodes) {
    const here = graphNodePath(node, prefix);
    if (here === path) return node;
    const inner = node.graph === undefined ? undefined : findGraphNode(node.graph, path, `${here}/`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
