import type { Drawing, NodeBox, PortPair } from "@weft/shared/drawing/draw-network.ts";
import { type PortLine, portsOf } from "./port-places.ts";
import type { ViewportControl } from "../viewport/use-viewport.ts";

export const PORT_CARD_ID = "graph-ports";

const WIDTH = 320;
const GAP = 8;

interface PortCardProps {
  readonly drawing: Drawing;
  /** Path of the node under the pointer, "" for none. */
  readonly path: string;
  readonly control: ViewportControl;
}

/** The connected ports of the hovered or focused node, with their sources. */
export function PortCard({ drawing, path, control: { view, size } }: PortCardProps) {
  const box = drawing.boxes.find((entry) => entry.path === path);
  if (box === undefined || box.expanded) return null;
  const { inputs, outputs } = portsOf(drawing, path);
  if (inputs.lines.length + outputs.lines.length === 0) return null;
  return (
    <div
      id={PORT_CARD_ID}
      role="tooltip"
      className="popup pointer-events-none absolute z-5 px-3 py-2 text-small"
      style={placeOf(box, view, size)}
    >
      <PortList title={box.node.kind === "output" ? "Comes from" : "Reads"} {...inputs} />
      <PortList title={box.node.kind === "input" ? "Goes to" : "Writes"} {...outputs} />
    </div>
  );
}

/** Below the node, or above it if there is more space. */
function placeOf(box: NodeBox, view: ViewportControl["view"], size: ViewportControl["size"]) {
  const width = Math.min(WIDTH, size.width - 2 * GAP);
  const left = Math.max(GAP, Math.min(size.width - width - GAP, box.x * view.scale + view.x));
  const top = box.y * view.scale + view.y;
  const bottom = top + box.height * view.scale;
  return size.height - bottom >= top
    ? { left, width, top: bottom + GAP }
    : { left, width, bottom: size.height - top + GAP };
}

interface PortListProps {
  readonly title: string;
  readonly lines: readonly PortLine[];
  readonly more: number;
}

function PortList({ title, lines, more }: PortListProps) {
  if (lines.length === 0) return null;
  return (
    <>
      <p className="label-caps not-first:mt-1.5">{title}</p>
      <ul>
        {lines.map(({ port, other }) => (
          <li key={`${port.from} ${port.to} ${other}`} className="truncate">
            <PortText port={port} other={other} isInput={title === "Reads" || title === "Comes from"} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-soft">and {more} more</p>}
    </>
  );
}

function PortText({
  port,
  other,
  isInput,
}: {
  readonly port: PortPair;
  readonly other: string;
  readonly isInput: boolean;
}) {
  return (
    <>
      <span className="font-medium">{isInput ? port.to : port.from}</span>{" "}
      <span className="text-soft">
        {port.type !== undefined && `${port.type} `}
        {isInput ? "from" : "to"} {other}
      </span>
    </>
  );
}
