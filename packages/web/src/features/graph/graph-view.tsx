import { type Drawing, countNodes, drawNetwork, nestedPaths } from "@weft/shared/drawing/draw-network.ts";
import type { PortsOfSteps } from "@weft/shared/drawing/place-ports.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import type { StepCounts } from "@weft/shared/records/run-record.ts";
import { type ReactNode, useMemo, useState } from "react";
import { useDrawn } from "../../components/use-drawn.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useFillHeight } from "../../ui/use-layout.ts";
import type { Connecting } from "./ports/connect-layer.tsx";
import type { ShownGraph } from "./draw-worker.ts";
import { GraphCanvas } from "./graph-canvas.tsx";
import { type StepProgress, progressIndex } from "./step-progress.ts";
import { StepTree } from "./step-tree.tsx";
import type { Choosing } from "./viewport/use-choose-box.ts";
import { useViewport } from "./viewport/use-viewport.ts";
import { startOf } from "./viewport/viewport.ts";

/** Nested networks start expanded if there are at most this many nodes in total. */
const UNFOLD_UP_TO = 24;

interface GraphViewProps {
  readonly graph: GraphRecord;
  /** Name of the exported file. */
  readonly name: string;
  /** Path of the selected node, "" for none. */
  readonly selected: string;
  readonly onSelect: (path: string) => void;
  /** Counts of a run, to draw the progress of each step. */
  readonly stepCounts?: readonly StepCounts[] | undefined;
  /** Details of the selected node, shown next to the graph. */
  readonly detail: ReactNode;
  /** Takes only the width of its place: without the tree of steps, and with the details below the graph. */
  readonly isNarrow?: boolean;
  /** Connects ports; absent: the drawing cannot be edited. */
  readonly connecting?: Connecting;
  /** Chooses several steps; absent: only one node can be selected. */
  readonly choosing?: Choosing;
  /** Ports to draw on the steps. */
  readonly ports?: PortsOfSteps | undefined;
}

interface PartProps extends GraphViewProps {
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
}

/** Minimum height of the graph. */
const MIN_PX = 360;

/** The graph of a network fills the window, between the tree of its steps and the details of the selected node. */
export default function GraphView(props: GraphViewProps) {
  const { graph, stepCounts, ports } = props;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () => new Set(countNodes(graph) <= UNFOLD_UP_TO ? nestedPaths(graph) : []),
  );
  const drawing = useDrawing(graph, expanded, ports);
  const index = useMemo(() => stepCounts && progressIndex(stepCounts), [stepCounts]);
  const progressOf = (step: string | undefined) => (step === undefined ? undefined : index?.(step));
  const toggle = (path: string): void =>
    setExpanded((old) => {
      const next = new Set(old);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  const ref = useFillHeight(MIN_PX);
  return (
    <div ref={ref} className={`grid gap-3 lg:h-(--fill) ${layoutOf(props)}`}>
      {drawing === undefined ? (
        <>
          {props.isNarrow !== true && <StepTree {...props} progressOf={progressOf} />}
          <Skeleton rows={12} />
        </>
      ) : (
        <DrawnGraph {...props} progressOf={progressOf} drawing={drawing} onToggle={toggle} />
      )}
      {props.selected !== "" && (
        <div className="min-h-0 min-w-0 space-y-3 max-lg:order-first lg:overflow-y-auto">{props.detail}</div>
      )}
    </div>
  );
}

function layoutOf({ isNarrow = false, selected }: GraphViewProps): string {
  if (isNarrow) return selected === "" ? "lg:grid-rows-[minmax(0,1fr)]" : "lg:grid-rows-[minmax(0,1fr)_minmax(0,1fr)]";
  const columns = selected === "" ? "lg:grid-cols-[15rem_minmax(0,1fr)]" : "lg:grid-cols-[15rem_minmax(0,1fr)_20rem]";
  return `wide lg:grid-rows-[minmax(0,1fr)] ${columns}`;
}

interface DrawnGraphProps extends PartProps {
  readonly drawing: Drawing;
  readonly onToggle: (path: string) => void;
}

function DrawnGraph({
  graph,
  name,
  drawing,
  selected,
  onSelect,
  onToggle,
  progressOf,
  isNarrow,
  connecting,
  choosing,
}: DrawnGraphProps) {
  const control = useViewport(drawing, {
    start: startOf(drawing, progressOf) ?? { x: 0, y: 0, width: 0, height: 0 },
    wanted: drawing.boxes.find(({ path }) => path === selected),
  });
  const selectInTree = (path: string): void => {
    const box = drawing.boxes.find((entry) => entry.path === path);
    if (box !== undefined) control.centerOnBox(box);
    onSelect(path === selected ? "" : path);
  };
  return (
    <>
      {isNarrow !== true && (
        <StepTree graph={graph} selected={selected} onSelect={selectInTree} progressOf={progressOf} />
      )}
      <GraphCanvas
        drawing={drawing}
        control={control}
        selected={selected}
        onSelect={onSelect}
        onToggle={onToggle}
        onExport={() => void exportSvg(drawing, name)}
        progressOf={progressOf}
        connecting={connecting}
        choosing={choosing}
      />
    </>
  );
}

async function exportSvg(drawing: Drawing, name: string): Promise<void> {
  const { drawingToSvg } = await import("@weft/shared/drawing/drawing-to-svg.ts");
  saveFile(drawingToSvg(drawing, name), { name: `${name}.svg`, type: "image/svg+xml" });
}

/** Up to this many nodes are laid out within a frame. */
const AT_ONCE_UP_TO = 80;

const DRAWER = {
  draw: ({ graph, expanded, ports }: ShownGraph) => drawNetwork(graph, expanded, ports),
  start: () => new Worker(new URL("./draw-worker.ts", import.meta.url), { type: "module" }),
};

function useDrawing(graph: GraphRecord, expanded: ReadonlySet<string>, ports?: PortsOfSteps): Drawing | undefined {
  const shown = useMemo(() => ({ graph, expanded, ports }), [graph, expanded, ports]);
  return useDrawn(shown, countNodes(graph) <= AT_ONCE_UP_TO, DRAWER);
}
