import type { GraphNodeRecord, GraphRecord } from "@weft/shared/records/process-record.ts";
import { graphNodePath } from "@weft/shared/drawing/graph-node-path.ts";

/** A line of the tree of steps. */
export interface StepLine {
  readonly node: GraphNodeRecord;
  readonly path: string;
  /** 1 for steps of the network itself. */
  readonly level: number;
  /** Position among the steps of the network, from 1, and their number. */
  readonly place: number;
  readonly count: number;
}

/**
 * All steps, nested ones below the step that contains them; with `q`, only those whose name, process name or path
 * contains it.
 */
export function flattenSteps(graph: GraphRecord, q: string): readonly StepLine[] {
  const asked = q.trim().toLowerCase();
  const all = linesOf(graph, { prefix: "", level: 1 });
  if (asked === "") return all;
  const found = all.filter(({ node, path }) =>
    `${node.label}\n${node.process_label ?? ""}\n${path}`.toLowerCase().includes(asked),
  );
  return found.map((line, place) => ({
    node: line.node,
    path: line.path,
    level: 1,
    place: place + 1,
    count: found.length,
  }));
}

interface Level {
  readonly prefix: string;
  readonly level: number;
}

function linesOf(graph: GraphRecord, { prefix, level }: Level): readonly StepLine[] {
  const steps = graph.nodes.filter(({ kind }) => kind === "step");
  const lines: StepLine[] = [];
  for (const [place, node] of steps.entries()) {
    const path = graphNodePath(node, prefix);
    lines.push({ node, path, level, place: place + 1, count: steps.length });
    if (node.graph !== undefined) lines.push(...linesOf(node.graph, { prefix: `${path}/`, level: level + 1 }));
  }
  return lines;
}
