import type { GraphNodeRecord, GraphRecord } from "@weft/shared/records/process-record.ts";

/** A graph for Graphviz; nested networks are clusters. */
export function dotText(graph: GraphRecord, title: string): string {
  const lines = [
    `label=${quoted(title)};`,
    "rankdir=LR;",
    'node [fontname="Helvetica" shape=box style="rounded"];',
    'edge [fontname="Helvetica"];',
    ...dotLevel(graph, ""),
  ];
  return ["digraph network {", ...lines.map((line) => `  ${line}`), "}"].join("\n");
}

function dotLevel(graph: GraphRecord, prefix: string): readonly string[] {
  return [
    ...graph.nodes.flatMap((node) => dotNode(node, prefix)),
    ...pairs(graph).map(([from, to]) => `${quoted(prefix + from)} -> ${quoted(prefix + to)};`),
  ];
}

function dotNode(node: GraphNodeRecord, prefix: string): readonly string[] {
  const id = prefix + node.id;
  const style = node.kind === "step" ? "" : " shape=ellipse style=solid";
  const own = `${quoted(id)} [label=${quoted(labelOf(node))}${style}];`;
  if (node.graph === undefined) return [own];
  const inner = dotLevel(node.graph, `${id}/`).map((line) => `  ${line}`);
  return [own, `subgraph ${quoted(`cluster ${id}`)} {`, `  label=${quoted(node.label)};`, ...inner, "}"];
}

/** A flowchart for Mermaid, as Markdown pages show it. */
export function mermaidText(graph: GraphRecord): string {
  const names = new Map<string, string>();
  return ["flowchart LR", ...mermaidLevel(graph, { prefix: "", names }).map((line) => `  ${line}`)].join("\n");
}

interface MermaidScope {
  readonly prefix: string;
  /** Mermaid accepts few characters in names. */
  readonly names: Map<string, string>;
}

function mermaidLevel(graph: GraphRecord, scope: MermaidScope): readonly string[] {
  const nodes = graph.nodes.flatMap((node) => mermaidNode(node, scope));
  const edges = pairs(graph).map(([from, to]) => `${nameIn(scope, from)} --> ${nameIn(scope, to)}`);
  return [...nodes, ...edges];
}

function mermaidNode(node: GraphNodeRecord, scope: MermaidScope): readonly string[] {
  const name = nameIn(scope, node.id);
  const label = `"${labelOf(node).replaceAll('"', "#quot;").replaceAll("<", "#lt;")}"`;
  if (node.graph === undefined) return [node.kind === "step" ? `${name}[${label}]` : `${name}([${label}])`];
  const inner = mermaidLevel(node.graph, { ...scope, prefix: `${scope.prefix}${node.id}/` });
  return [`subgraph ${name}[${label}]`, ...inner.map((line) => `  ${line}`), "end"];
}

function nameIn({ prefix, names }: MermaidScope, id: string): string {
  const path = prefix + id;
  const name = names.get(path) ?? `n${names.size + 1}`;
  names.set(path, name);
  return name;
}

/** Inputs, steps and outputs, one per line, with nested networks indented. */
export function listText(graph: GraphRecord, indent = ""): string {
  const line = (node: GraphNodeRecord) => {
    const type = node.type_text === undefined ? (node.class ?? "") : node.type_text;
    const own = `${indent}${node.kind.padEnd(8)}${node.id.slice(node.kind.length + 1)}  ${type}${marksOf(node)}`;
    return node.graph === undefined ? own : `${own}\n${listText(node.graph, `${indent}  `)}`;
  };
  return graph.nodes.map(line).join("\n");
}

/** Several links between two nodes are one line. */
function pairs({ edges }: GraphRecord): readonly (readonly [string, string])[] {
  return [...new Map(edges.map(({ from, to }) => [`${from}\n${to}`, [from, to] as const])).values()];
}

function labelOf(node: GraphNodeRecord): string {
  return node.label + marksOf(node);
}

function marksOf({ scatter, loop, conditional }: GraphNodeRecord): string {
  return `${scatter === true ? " ×N" : ""}${loop === true ? " ↻" : ""}${conditional === true ? " ?" : ""}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
