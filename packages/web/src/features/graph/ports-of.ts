import type { Drawing, EdgeLine, PortPair } from "@weft/shared/drawing/draw-network.ts";

/** A connected port of a node, and the node at the other end. */
export interface PortLine {
  readonly port: PortPair;
  readonly other: string;
}

export interface PortLines {
  readonly lines: readonly PortLine[];
  /** Number of connections not listed. */
  readonly more: number;
}

const SHOWN = 8;

/** The connections of a node, at most eight on each side. */
export function portsOf(drawing: Drawing, path: string): { readonly inputs: PortLines; readonly outputs: PortLines } {
  const names = new Map(drawing.boxes.map((box) => [box.path, box.node.label]));
  const side = (here: "from" | "to", there: "from" | "to"): PortLines => {
    const all = drawing.lines
      .filter((line) => line[here] === path)
      .flatMap((line) => linesOf(line, names.get(line[there])));
    return { lines: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
  };
  return { inputs: side("to", "from"), outputs: side("from", "to") };
}

function linesOf(line: EdgeLine, other: string | undefined): readonly PortLine[] {
  return line.ports.map((port) => ({ port, other: other ?? "" }));
}
