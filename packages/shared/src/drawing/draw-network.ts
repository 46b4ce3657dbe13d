import type { GraphEdgeRecord, GraphNodeRecord, GraphRecord } from "../records/process-record.ts";
import { graphNodePath } from "./graph-node-path.ts";
import { layoutLayers, type Point } from "./layout/layout-layers.ts";
import { placePorts, type PlacedPorts, type PortsOfSteps } from "./place-ports.ts";

/** A node with its position in the drawing. `path` is unique (see graphNodePath). */
export interface NodeBox {
  readonly path: string;
  readonly node: GraphNodeRecord;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** True if the node is drawn as a frame around its own graph. */
  readonly expanded: boolean;
  /** The ports of a step, below its name; absent if they are not drawn. */
  readonly ports?: PlacedPorts | undefined;
}

export interface EdgeLine {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  /** The connections that the line represents. */
  readonly ports: readonly PortPair[];
}

/** A connection: its source port, its target port, and the type of its values. */
export interface PortPair {
  readonly from: string;
  readonly to: string;
  readonly type: string | undefined;
}

export interface Drawing {
  readonly boxes: readonly NodeBox[];
  readonly lines: readonly EdgeLine[];
  readonly width: number;
  readonly height: number;
}

/**
 * Node sizes for names of 14 pixels and details of 13, which initially are at least 11 pixels on the screen (see
 * READABLE_SCALE).
 */
const STEP_SIZE = { width: 232, height: 60 };
const PORT_SIZE = { width: 176, height: 32 };
/** Wide enough for the names of an input and an output next to each other. */
const PORTED_WIDTH = 272;
const FRAME = { side: 20, top: 52, bottom: 20 };

/** Number of nodes of a graph, including those of nested networks. */
export function countNodes(graph: GraphRecord): number {
  return graph.nodes.reduce((sum, node) => sum + 1 + (node.graph === undefined ? 0 : countNodes(node.graph)), 0);
}

/**
 * Lays out a network and those of its nested networks whose path is in `expanded`. With `ports`, its own steps show
 * their ports, and each connection is a line from port to port.
 */
export function drawNetwork(graph: GraphRecord, expanded: ReadonlySet<string>, ports: PortsOfSteps = {}): Drawing {
  return drawLevel(graph, expanded, { prefix: "", depth: 0, ports });
}

interface Level {
  readonly prefix: string;
  readonly depth: number;
  readonly ports: PortsOfSteps;
}

function drawLevel(graph: GraphRecord, expanded: ReadonlySet<string>, level: Level): Drawing {
  const inner = new Map<string, Drawing>();
  for (const node of graph.nodes) {
    const path = graphNodePath(node, level.prefix);
    if (node.graph !== undefined && expanded.has(path))
      inner.set(node.id, drawLevel(node.graph, expanded, { prefix: `${path}/`, depth: level.depth + 1, ports: {} }));
  }
  const placed = graph.nodes.map((node) => {
    const ports = inner.has(node.id) ? undefined : level.ports[graphNodePath(node, level.prefix)];
    return ports && placePorts(ports, STEP_SIZE.height);
  });
  const nodes = graph.nodes.map((node, place) => ({ id: node.id, ...sizeOf(node, inner.get(node.id), placed[place]) }));
  const edges = joinEdges(graph.edges);
  const layout = layoutLayers(nodes, edges);
  const boxes = graph.nodes.map((node, place): NodeBox => {
    const { x, y } = layout.positions.get(node.id) ?? { x: 0, y: 0 };
    const { width, height } = nodes[place] ?? STEP_SIZE;
    return {
      path: graphNodePath(node, level.prefix),
      node,
      x,
      y,
      width,
      height,
      depth: level.depth,
      expanded: inner.has(node.id),
      ...(placed[place] === undefined ? {} : { ports: placed[place] }),
    };
  });
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const lines = edges.flatMap((edge, place) => linesOf(edge, byId, layout.bends[place] ?? []));
  const parts = boxes.flatMap((box) => moveInto(box, inner.get(box.node.id)));
  return {
    boxes: [...boxes, ...parts.flatMap((part) => part.boxes)],
    lines: [...lines, ...parts.flatMap((part) => part.lines)],
    width: layout.width,
    height: layout.height,
  };
}

function sizeOf(
  node: GraphNodeRecord,
  inner: Drawing | undefined,
  ports: PlacedPorts | undefined,
): { width: number; height: number } {
  if (ports !== undefined) return { width: PORTED_WIDTH, height: ports.height };
  if (inner !== undefined)
    return { width: inner.width + 2 * FRAME.side, height: inner.height + FRAME.top + FRAME.bottom };
  return node.kind === "step" ? STEP_SIZE : PORT_SIZE;
}

interface JoinedEdge {
  readonly from: string;
  readonly to: string;
  readonly ports: readonly PortPair[];
}

/** Joins all connections between the same two nodes into one line. */
function joinEdges(edges: readonly GraphEdgeRecord[]): readonly JoinedEdge[] {
  const groups = Map.groupBy(edges, ({ from, to }) => `${from}\n${to}`);
  return [...groups.values()].flatMap((group) => {
    const first = group[0];
    return first === undefined ? [] : [{ from: first.from, to: first.to, ports: group.map(portsOfEdge) }];
  });
}

function portsOfEdge({ from_port, to_port, type_text }: GraphEdgeRecord): PortPair {
  return { from: from_port, to: to_port, type: type_text };
}

/** `subjects → image (File[])` */
export function portText({ from, to, type }: PortPair): string {
  const ports = from === to ? from : `${from} → ${to}`;
  return type === undefined ? ports : `${ports} (${type})`;
}

/** One line for all connections between two nodes, or one for each connection if a node shows its ports. */
function linesOf(edge: JoinedEdge, boxes: ReadonlyMap<string, NodeBox>, bends: readonly Point[]): readonly EdgeLine[] {
  const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
  const [fromPath, toPath] = [from?.path ?? edge.from, to?.path ?? edge.to];
  const ends = { from: fromPath, to: toPath };
  const at = (pair: PortPair | undefined, points: readonly Point[]): readonly Point[] => [
    ...(from === undefined ? [] : [{ x: from.x + from.width, y: portY(from, "outputs", pair?.from) }]),
    ...points,
    ...(to === undefined ? [] : [{ x: to.x, y: portY(to, "inputs", pair?.to) }]),
  ];
  if (from?.ports === undefined && to?.ports === undefined)
    return [{ key: `${fromPath} ${toPath}`, ...ends, points: at(undefined, bends), ports: edge.ports }];
  return edge.ports.map((pair, place) => ({
    key: `${fromPath} ${pair.from} ${toPath} ${pair.to}`,
    ...ends,
    points: at(
      pair,
      bends.map(({ x, y }) => ({ x, y: y + place * PARALLEL_GAP })),
    ),
    ports: [pair],
  }));
}

/** Distance between parallel lines that lead past other nodes. */
const PARALLEL_GAP = 6;

function portY({ y, height, ports }: NodeBox, side: "inputs" | "outputs", name: string | undefined): number {
  const port = ports?.[side].find((candidate) => candidate.name === name);
  return y + (port?.y ?? height / 2);
}

function moveInto(box: NodeBox, inner: Drawing | undefined): readonly Pick<Drawing, "boxes" | "lines">[] {
  if (inner === undefined) return [];
  const move = <P extends Point>(point: P): P => ({
    ...point,
    x: point.x + box.x + FRAME.side,
    y: point.y + box.y + FRAME.top,
  });
  return [
    { boxes: inner.boxes.map(move), lines: inner.lines.map((line) => ({ ...line, points: line.points.map(move) })) },
  ];
}

/** Paths of all nested networks, outermost first. */
export function nestedPaths(graph: GraphRecord, prefix = ""): readonly string[] {
  return graph.nodes.flatMap((node) => {
    const path = graphNodePath(node, prefix);
    return node.graph === undefined ? [] : [path, ...nestedPaths(node.graph, `${path}/`)];
  });
}
