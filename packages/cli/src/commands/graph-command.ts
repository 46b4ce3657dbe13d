import { typeText } from "@weft/cwl/model/type-text.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { describeGraph } from "@weft/cwl/workflow/describe-graph.ts";
import { drawNetwork, nestedPaths } from "@weft/shared/drawing/draw-network.ts";
import { drawingToSvg } from "@weft/shared/drawing/drawing-to-svg.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { dotText, listText, mermaidText } from "../output/graph-text.ts";
import { oneOf, type Settings } from "../settings/read-settings.ts";
import { printing } from "./load-cwl.ts";

const FORMATS = {
  dot: dotText,
  svg: (graph: GraphRecord, title: string) =>
    drawingToSvg(drawNetwork(graph, new Set(nestedPaths(graph))), title).trimEnd(),
  mermaid: mermaidText,
  text: (graph: GraphRecord) => listText(graph),
};

/** Prints the graph of a document. */
export async function graphCommand(settings: Settings): Promise<number> {
  const write = FORMATS[oneOf("format", settings.text("format") ?? "dot", ["dot", "svg", "mermaid", "text"])];
  return printing(({ process }) => `${write(graphOf(process), process.label ?? process.name)}\n`)(settings);
}

/** A tool is drawn as a network of one step. */
function graphOf(subject: Process): GraphRecord {
  if (subject.class === "Workflow") return describeGraph(subject);
  const { inputs, outputs, label, name } = subject;
  const node = (kind: "input" | "output") => (parameter: (typeof inputs | typeof outputs)[number]) => ({
    id: `${kind}:${parameter.id}`,
    kind,
    label: parameter.label ?? parameter.id,
    type_text: typeText(parameter.type),
  });
  const step = { id: `step:${name}`, kind: "step" as const, label: label ?? name, step: name, class: subject.class };
  const edge = (from: string, to: string, port: string) => ({ from, to, from_port: port, to_port: port });
  return {
    nodes: [...inputs.map(node("input")), step, ...outputs.map(node("output"))],
    edges: [
      ...inputs.map(({ id }) => edge(`input:${id}`, step.id, id)),
      ...outputs.map(({ id }) => edge(step.id, `output:${id}`, id)),
    ],
  };
}
