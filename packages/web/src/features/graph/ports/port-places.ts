import type { Drawing, NodeBox, PortPair } from "@weft/shared/drawing/draw-network.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";

/** A port that receives values, by the path of its node and its name. */
export interface PortPlace {
  readonly path: string;
  readonly port: string;
}

interface Dot extends Point {
  readonly name: string;
  readonly isConnected: boolean;
  readonly isMissing: boolean;
}

/** A port that gives values; `source` is its name in links (`reads`, `align/bam`). */
export interface Outlet extends Point {
  readonly path: string;
  readonly source: string;
  readonly isConnected: boolean;
}

const SHOWN = 8;

/** The positions of a node's inputs. */
export function portPlaces(box: NodeBox): readonly Dot[] {
  const { x, y, height, node, ports, path } = box;
  if (node.kind === "output")
    return [{ name: nameIn(path), x, y: y + height / 2, isConnected: true, isMissing: false }];
  return (ports?.inputs ?? []).map(({ name, isConnected, isMissing, y: row }) => ({
    name,
    isConnected,
    isMissing,
    x,
    y: y + row,
  }));
}

/** The positions of a node's outputs. */
export function outletsOf(box: NodeBox): readonly Outlet[] {
  const { x, y, width, height, node, ports, path } = box;
  const right = x + width;
  if (node.kind === "input") return [{ path, source: nameIn(path), x: right, y: y + height / 2, isConnected: true }];
  return (ports?.outputs ?? []).map(({ name, isConnected, y: row }) => ({
    path,
    source: `${path}/${name}`,
    isConnected,
    x: right,
    y: y + row,
  }));
}

/** `input:reads` → `reads` */
function nameIn(path: string): string {
  return path.slice(path.indexOf(":") + 1);
}

/** The distance at which a pointer hits a dot, large enough for a finger. */
const NEAR = 20;

/**
 * The target of a line that ends at a point: the nearest compatible port, otherwise the compatible node at the point;
 * undefined without either.
 */
export function portAt(
  boxes: readonly NodeBox[],
  point: Point,
  compatiblePorts: readonly PortPlace[],
): { readonly path: string; readonly port?: string } | undefined {
  const isTaker = (path: string, port: string): boolean =>
    compatiblePorts.some((target) => target.path === path && target.port === port);
  const near = boxes
    .filter((box) => isIn(box, point, NEAR))
    .flatMap((box) => portPlaces(box).map((dot) => ({ path: box.path, port: dot.name, distance: reach(dot, point) })))
    .filter(({ path, port, distance }) => distance <= NEAR && isTaker(path, port))
    .sort((a, b) => a.distance - b.distance);
  const [nearest] = near;
  if (nearest !== undefined) return { path: nearest.path, port: nearest.port };
  const box = boxes.find((candidate) => isIn(candidate, point, 0));
  if (box === undefined) return undefined;
  const row = rowAt(box, point);
  if (row !== undefined && isTaker(box.path, row)) return { path: box.path, port: row };
  return compatiblePorts.some(({ path }) => path === box.path) ? { path: box.path } : undefined;
}

/** The port whose row is at a point: the name of an input is part of its target area. */
function rowAt({ ports, x, y, width }: NodeBox, point: Point): string | undefined {
  if (point.x > x + width / 2) return undefined;
  return ports?.inputs.find((port) => Math.abs(y + port.y - point.y) <= NEAR / 2)?.name;
}

function isIn({ x, y, width, height }: NodeBox, point: Point, margin: number): boolean {
  const inX = point.x >= x - margin && point.x <= x + width + margin;
  return inX && point.y >= y - margin && point.y <= y + height + margin;
}

function reach(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** A connected port of a node, and the node at the other end. */
export interface PortLine {
  readonly port: PortPair;
  readonly other: string;
}

interface PortLines {
  readonly lines: readonly PortLine[];
  /** Number of connections not listed. */
  readonly more: number;
}

/** The connections of a node, at most eight on each side. */
export function portsOf(drawing: Drawing, path: string): { readonly inputs: PortLines; readonly outputs: PortLines } {
  const names = new Map(drawing.boxes.map((box) => [box.path, box.node.label]));
  const side = (here: "from" | "to", there: "from" | "to"): PortLines => {
    const all = drawing.lines
      .filter((line) => line[here] === path)
      .flatMap((line) => line.ports.map((port) => ({ port, other: names.get(line[there]) ?? "" })));
    return { lines: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
  };
  return { inputs: side("to", "from"), outputs: side("from", "to") };
}
