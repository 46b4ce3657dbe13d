import { countNodes, drawNetwork, nestedPaths, type Drawing } from "@weft/shared/drawing/draw-network.ts";
import type { PortsOfSteps } from "@weft/shared/drawing/place-ports.ts";
import type { GraphNodeRecord, GraphRecord } from "@weft/shared/records/process-record.ts";
import type { StepCounts } from "@weft/shared/records/run-record.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { useDrawn } from "../../components/use-drawn.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { saveFile } from "../../ui/save-file.ts";
import { SearchField } from "../../ui/search-field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateIcon, TONES } from "../../ui/state-badge.tsx";
import { useFillHeight } from "../../ui/use-layout.ts";
import { VirtualList, useVirtualList } from "../../ui/virtual-list.tsx";
import type { ShownGraph } from "./draw-worker.ts";
import { GraphCanvas } from "./graph-canvas.tsx";
import type { Connecting } from "./ports/connect-layer.tsx";
import { flattenSteps, progressIndex, type StepLine, type StepProgress } from "./step-progress.ts";
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

interface StepTreeProps {
  readonly graph: GraphRecord;
  readonly selected: string;
  readonly onSelect: (path: string) => void;
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
}

/** Touch targets must be larger. */
const LINE_PX = matchMedia("(max-width: 767px)").matches ? 44 : 32;

/** The steps as a searchable tree: navigation of the graph by keyboard and screen reader. */
function StepTree({ graph, selected, onSelect, progressOf }: StepTreeProps) {
  const [q, setQ] = useState("");
  const asked = useDeferredValue(q);
  const lines = useMemo(() => flattenSteps(graph, asked), [graph, asked]);
  return (
    <nav aria-label="Steps" className="card flex min-h-0 flex-col p-2 max-lg:max-h-72">
      <h2 className="label-caps px-2 pt-1 pb-1.5">Steps</h2>
      <SearchField
        className="mb-1.5"
        label="Find a step"
        value={q}
        onChange={setQ}
        onEnter={() => lines[0] !== undefined && onSelect(lines[0].path)}
      />
      {lines.length === 0 ? (
        <p className="px-2 py-3 text-soft">{asked === "" ? "No steps." : "No matching steps."}</p>
      ) : (
        <TreeLines lines={lines} selected={selected} onSelect={onSelect} progressOf={progressOf} />
      )}
    </nav>
  );
}

/** The visible lines, one of which is in the tab order; arrow keys move the focus from there. */
function useLineFocus(count: number) {
  const list = useVirtualList({ count, itemPx: LINE_PX });
  const { box, items } = list;
  const [at, setAt] = useState(0);
  const current = Math.min(at, count - 1);
  const reachable = items.some(({ index }) => index === current) ? current : items[0]?.index;
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(count - 1, to));
    setAt(next);
    list.scrollTo(next);
    // The line may exist only after scrolling.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-line="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = Number((event.target as HTMLElement).dataset["line"] ?? current); // a line, the only thing with focus here
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  return { list, reachable, onKeyDown, setAt };
}

interface TreeLinesProps extends Omit<StepTreeProps, "graph"> {
  readonly lines: readonly StepLine[];
}

/** A virtualized list of lines. */
function TreeLines({ lines, selected, onSelect, progressOf }: TreeLinesProps) {
  const { list, reachable, onKeyDown, setAt } = useLineFocus(lines.length);
  const chosen = lines.findIndex(({ path }) => path === selected);
  const renderItem = (index: number): ReactNode => {
    const line = lines[index];
    return (
      line !== undefined && (
        <StepLineView
          line={line}
          index={index}
          isSelected={index === chosen}
          isReachable={index === reachable}
          onSelect={() => {
            setAt(index);
            onSelect(line.path);
          }}
          progress={progressOf(line.node.step)}
        />
      )
    );
  };
  return (
    <VirtualList
      list={list}
      className="min-h-0 flex-1"
      onKeyDown={onKeyDown}
      inner={{ role: "tree", "aria-label": "Steps" }}
      item={() => ({ role: "presentation" })}
      renderItem={renderItem}
    />
  );
}

interface StepLineViewProps {
  readonly line: StepLine;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isReachable: boolean;
  readonly onSelect: () => void;
  readonly progress: StepProgress | undefined;
}

function StepLineView({ line, index, isSelected, isReachable, onSelect, progress }: StepLineViewProps) {
  const { node, level, place, count } = line;
  return (
    <div
      role="treeitem"
      data-line={index}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={count}
      aria-selected={isSelected}
      tabIndex={isReachable ? 0 : -1}
      className="flex w-full cursor-pointer items-center gap-2 rounded-md px-2 -outline-offset-2 hover:bg-sunken aria-selected:bg-accent-soft aria-selected:text-accent"
      style={{ height: LINE_PX, paddingLeft: 8 + (level - 1) * 14 }}
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onSelect();
      }}
    >
      {progress !== undefined && (
        <span className={TONES[STATE_LOOKS[progress.state].tone].text}>
          <StateIcon state={progress.state} />
          <span className="sr-only">{STATE_LOOKS[progress.state].word}</span>
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">{node.label}</span>
      {progress !== undefined && progress.total > 0 && (
        <span className="text-caption text-soft tabular-nums">
          {numberText(progress.done)}/{numberText(progress.total)}
        </span>
      )}
      {progress === undefined && <span className="text-caption text-soft">{waysOf(node)}</span>}
    </div>
  );
}

/** Describes whether a step is scattered, loops or is conditional. */
function waysOf({ scatter, loop, conditional }: GraphNodeRecord): string {
  return [
    ...(scatter === true ? ["scattered"] : []),
    ...(loop === true ? ["loops"] : []),
    ...(conditional === true ? ["conditional"] : []),
  ].join(", ");
}
