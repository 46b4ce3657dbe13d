import type { StepCounts } from "@weft/shared/records/run-record.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { useMemo, useState } from "react";
import { ViewToolbar } from "../../ui/view-toolbar.tsx";
import { drawNetwork, nestedPaths, type Drawing } from "./draw-network.ts";
import { GraphEdges } from "./graph-edges.tsx";
import { GraphNode } from "./graph-node.tsx";
import { StepList } from "./step-list.tsx";
import { stepProgress, type StepProgress } from "./step-progress.ts";
import { useViewport } from "./use-viewport.ts";

/** Nested networks start unfolded where all nodes together are no more than this. */
const UNFOLD_UP_TO = 24;

export interface GraphViewProps {
  readonly graph: GraphRecord;
  /** Path of the selected node, "" for none. */
  readonly selected: string;
  readonly onSelect: (path: string) => void;
  /** Of a run: draws how far each step is. */
  readonly stepCounts?: readonly StepCounts[] | undefined;
}

/** The picture of a network beside the list of its steps; both show the same selection. */
export function GraphView({ graph, selected, onSelect, stepCounts }: GraphViewProps) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () => new Set(countNodes(graph) <= UNFOLD_UP_TO ? nestedPaths(graph) : []),
  );
  const drawing = useMemo(() => drawNetwork(graph, expanded), [graph, expanded]);
  const progressOf = (step: string | undefined): StepProgress | undefined =>
    step === undefined || stepCounts === undefined ? undefined : stepProgress(stepCounts, step);
  const select = (path: string): void => onSelect(path === selected ? "" : path);
  const toggle = (path: string): void =>
    setExpanded((old) =>
      old.has(path) ? new Set([...old].filter((entry) => entry !== path)) : new Set([...old, path]),
    );
  return (
    <div className="grid gap-3 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <StepList graph={graph} selected={selected} onSelect={select} progressOf={progressOf} />
      <GraphCanvas drawing={drawing} selected={selected} onSelect={select} onToggle={toggle} progressOf={progressOf} />
    </div>
  );
}

function countNodes(graph: GraphRecord): number {
  return graph.nodes.reduce((sum, node) => sum + 1 + (node.graph === undefined ? 0 : countNodes(node.graph)), 0);
}

interface GraphCanvasProps {
  readonly drawing: Drawing;
  readonly selected: string;
  readonly onSelect: (path: string) => void;
  readonly onToggle: (path: string) => void;
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
}

function GraphCanvas({ drawing, selected, onSelect, onToggle, progressOf }: GraphCanvasProps) {
  const control = useViewport(drawing);
  const { view, frame } = control;
  const beside = neighboursOf(drawing, selected);
  return (
    <div className="card relative order-first lg:order-last">
      <div
        ref={frame}
        role="group"
        aria-label="Graph. Arrow keys move it, plus and minus zoom, F fits it."
        tabIndex={0}
        onKeyDown={control.onKeyDown}
        className="h-[min(34rem,60vh)] touch-none overflow-clip rounded-[10px] bg-sunken/50"
      >
        <div
          className="origin-top-left"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`, width: 0, height: 0 }}
        >
          <div className="relative">
            <GraphEdges drawing={drawing} selected={selected} />
            {drawing.boxes.map((box) => (
              <GraphNode
                key={box.path}
                box={box}
                selected={box.path === selected}
                dimmed={selected !== "" && box.path !== selected && !beside.has(box.path)}
                progress={progressOf(box.node.step)}
                onSelect={() => onSelect(box.path)}
                onToggle={() => onToggle(box.path)}
                onFocus={() => control.revealBox(box)}
              />
            ))}
          </div>
        </div>
      </div>
      <ViewToolbar
        tools={[
          { label: "Zoom in", icon: "plus", act: control.zoomIn },
          { label: "Zoom out", icon: "minus", act: control.zoomOut },
          { label: "Fit the graph", icon: "fit", act: control.fit },
        ]}
      />
    </div>
  );
}

/** What is joined to the selected node by a line, and what frames or fills it; all of it stays bright. */
function neighboursOf(drawing: Drawing, selected: string): ReadonlySet<string> {
  const joined = drawing.lines.flatMap(({ from, to }) => (from === selected ? [to] : to === selected ? [from] : []));
  const inside = drawing.boxes.map(({ path }) => path).filter((path) => path.startsWith(`${selected}/`));
  return new Set([...joined, ...inside]);
}
