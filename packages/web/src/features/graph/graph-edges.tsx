import type { EdgeLine, Drawing } from "./draw-network.ts";
import type { Point } from "./layout/layout-layers.ts";

export interface GraphEdgesProps {
  readonly drawing: Drawing;
  /** Path of the selected node: its lines stand out. */
  readonly selected: string;
}

/** The lines of a drawing. They repeat what the list of steps says, so screen readers skip them. */
export function GraphEdges({ drawing, selected }: GraphEdgesProps) {
  return (
    <svg
      aria-hidden="true"
      width={drawing.width}
      height={drawing.height}
      className="absolute top-0 left-0 overflow-visible"
      fill="none"
    >
      {drawing.lines.map((line) => (
        <EdgePath
          key={line.key}
          line={line}
          marked={selected !== "" && (line.from === selected || line.to === selected)}
        />
      ))}
    </svg>
  );
}

function EdgePath({ line, marked }: { readonly line: EdgeLine; readonly marked: boolean }) {
  const path = smoothPath(line.points);
  return (
    <g className={`group ${marked ? "text-accent" : "text-edge/70"}`}>
      <path d={path} stroke="currentColor" strokeWidth={marked ? 2.2 : 1.4} className="group-hover:stroke-accent" />
      <path d={path} stroke="transparent" strokeWidth="12">
        <title>{line.ports.join("\n")}</title>
      </path>
    </g>
  );
}

/** A curve through the points that leaves and reaches each of them horizontally. */
export function smoothPath(points: readonly Point[]): string {
  return points
    .map((point, place) => {
      const before = points[place - 1];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (before.y === point.y) return `H${point.x}`;
      const middle = (before.x + point.x) / 2;
      return `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    })
    .join("");
}
