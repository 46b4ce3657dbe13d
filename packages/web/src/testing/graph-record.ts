import type { GraphEdgeRecord, GraphNodeRecord } from "@weft/shared/records/process-record.ts";

/** A node by its ID, such as `step:join`; `network`: the path of the step that contains it, with a slash at its end. */
export function graphNode(id: string, network = ""): GraphNodeRecord {
  const [kind = "", label = ""] = id.split(":");
  if (kind === "step") return { id, kind, label, step: network + label };
  return { id, kind: kind === "input" ? "input" : "output", label };
}

/** A line between two nodes, by the names of its ports. */
export function graphEdge(from: string, to: string, from_port = "out", to_port = "in"): GraphEdgeRecord {
  return { from, to, from_port, to_port };
}
