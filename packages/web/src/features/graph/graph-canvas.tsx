import { useLayoutEffect, useMemo, useRef, useState, type MouseEvent } from "react";
import { useFocusShortcuts, useShortcuts } from "../../ui/keyboard/use-shortcuts.ts";
import { usePainting } from "../../ui/use-painting.ts";
import { ViewToolbar } from "../../ui/view-toolbar.tsx";
import type { Drawing, NodeBox } from "./draw-network.ts";
import { GraphNode, type NodeActions } from "./graph-node.tsx";
import type { Point } from "./layout/layout-layers.ts";
import { MiniMap } from "./mini-map.tsx";
import { neighbourOf, type Direction } from "./neighbour-of.ts";
import { lineAt, paintGraph, type GraphPicture } from "./paint-graph.ts";
import type { StepProgress } from "./step-progress.ts";
import type { ViewportControl } from "./use-viewport.ts";
import { visiblePart } from "./viewport.ts";

/** Smaller than this, nodes are painted instead of being buttons. */
const BUTTON_SCALE = 0.35;
/** From so many nodes on the map is shown without being asked for. */
const MAP_FROM = 60;
/** Nodes come and go in steps of this, so that moving a little changes nothing. */
const CELL = 320;

export interface GraphCanvasProps {
  readonly drawing: Drawing;
  readonly control: ViewportControl;
  readonly selected: string;
  /** Selects exactly this node. */
  readonly onSelect: (path: string) => void;
  readonly onToggle: (path: string) => void;
  readonly onExport: () => void;
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
}

/** The drawing of a network: lines on a canvas, the nodes in sight as buttons over it. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { drawing, control, selected, onExport, progressOf } = props;
  const { view, frame, size } = control;
  const [map, setMap] = useState(drawing.boxes.length >= MAP_FROM);
  const hasButtons = view.scale >= BUTTON_SCALE;
  const picture: GraphPicture = { drawing, view, selected, progressOf, withBoxes: !hasButtons };
  const onKeyDown = useGraphKeys(props, () => setMap(!map));
  const actions = useNodeActions(props);
  return (
    <div className="card relative order-first lg:order-last">
      <div
        ref={frame}
        role="group"
        aria-label="Graph. Arrow keys lead from the selected node to its neighbours, or move the graph; plus and minus zoom, F fits it."
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="relative h-[min(34rem,60vh)] touch-none overflow-clip rounded-[10px] bg-sunken/50"
      >
        <PaintedGraph picture={picture} control={control} actions={actions} />
        <div
          className="pointer-events-none relative origin-top-left *:pointer-events-auto"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`, width: 0, height: 0 }}
        >
          {hasButtons && <NodeButtons canvas={props} actions={actions} />}
        </div>
      </div>
      {map && <MiniMap picture={picture} screen={size} onMove={control.centreAt} />}
      <ViewToolbar
        tools={[
          { label: "Zoom in", icon: "plus", act: control.zoomIn },
          { label: "Zoom out", icon: "minus", act: control.zoomOut },
          { label: "Fit the graph", icon: "fit", act: control.fit },
          { label: "Small map", icon: "screen", act: () => setMap(!map), pressed: map },
          { label: "Export as SVG", icon: "download", act: onExport },
        ]}
      />
    </div>
  );
}

interface PaintedGraphProps {
  readonly picture: GraphPicture;
  readonly control: ViewportControl;
  readonly actions: NodeActions;
}

/** The lines, and the nodes too when they are too small to be buttons: then a click selects one. */
function PaintedGraph({ picture, control, actions }: PaintedGraphProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { drawing, view, withBoxes } = picture;
  usePainting(canvas, (element) => paintGraph(element, picture));
  const selectNode = (event: MouseEvent<HTMLCanvasElement>): void => {
    const box = boxAt(drawing, pointOf(event, control));
    if (box !== undefined) actions.select(box.path);
  };
  const showPorts = (event: MouseEvent<HTMLCanvasElement>): void => {
    const line = event.buttons === 0 && lineAt(event.currentTarget, drawing, pointOf(event, control), view.scale);
    event.currentTarget.title = line ? line.ports.join("\n") : "";
  };
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      className="absolute inset-0 size-full"
      onClick={withBoxes ? selectNode : undefined}
      onMouseMove={showPorts}
    />
  );
}

/** The nodes in sight as buttons; those that have nothing to do with the selected one are dimmed. */
function NodeButtons({ canvas, actions }: { readonly canvas: GraphCanvasProps; readonly actions: NodeActions }) {
  const { drawing, control, selected, progressOf } = canvas;
  const boxes = useVisibleBoxes(drawing, control, selected);
  const neighbours = useMemo(() => neighboursOf(drawing, selected), [drawing, selected]);
  return boxes.map((box) => (
    <GraphNode
      key={box.path}
      box={box}
      selected={box.path === selected}
      dimmed={selected !== "" && box.path !== selected && !neighbours.has(box.path)}
      progress={progressOf(box.node.step)}
      actions={actions}
    />
  ));
}

/** Keys for the view everywhere on the page; arrows only while the graph has the focus. */
function useGraphKeys({ drawing, control, selected, onSelect }: GraphCanvasProps, toggleMap: () => void) {
  const pending = useRef("");
  useLayoutEffect(() => {
    if (pending.current === "") return;
    const button = control.frame.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(pending.current)}"]`);
    if (button === null || button === undefined) return;
    pending.current = "";
    button.focus({ preventScroll: true });
  });
  useShortcuts({
    "graph.zoomIn": control.zoomIn,
    "graph.zoomOut": control.zoomOut,
    "graph.fit": control.fit,
    "graph.map": toggleMap,
  });
  const go = (direction: Direction) => (): void => {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["path"] : undefined;
    const from = focused ?? selected;
    if (from === "") return control.pan(direction);
    const next = neighbourOf(drawing, from, direction);
    if (next === undefined) return;
    pending.current = next.path;
    control.revealBox(next);
    onSelect(next.path);
  };
  return useFocusShortcuts({
    "graph.left": go("left"),
    "graph.right": go("right"),
    "graph.up": go("up"),
    "graph.down": go("down"),
  });
}

/** Always returns one object, so that React renders a node again only when something about it changes. */
function useNodeActions({ control, selected, onSelect, onToggle }: GraphCanvasProps): NodeActions {
  const actions: NodeActions = {
    select: (path) => onSelect(path === selected ? "" : path),
    toggle: onToggle,
    focused: control.revealBox,
  };
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      select: (path) => latest.current.select(path),
      toggle: (path) => latest.current.toggle(path),
      focused: (box) => latest.current.focused(box),
    }),
    [],
  );
}

/** Boxes in sight or nearly so, and the selected one, which may hold the focus. */
function useVisibleBoxes(drawing: Drawing, { view, size }: ViewportControl, selected: string): readonly NodeBox[] {
  const part = visiblePart(view, size);
  const left = Math.floor(part.x / CELL) * CELL;
  const top = Math.floor(part.y / CELL) * CELL;
  const right = Math.ceil((part.x + part.width) / CELL) * CELL;
  const bottom = Math.ceil((part.y + part.height) / CELL) * CELL;
  return useMemo(
    () =>
      drawing.boxes.filter(
        (box) =>
          box.path === selected ||
          (box.x <= right && box.x + box.width >= left && box.y <= bottom && box.y + box.height >= top),
      ),
    [drawing, selected, left, top, right, bottom],
  );
}

function pointOf({ nativeEvent }: MouseEvent, { view }: ViewportControl): Point {
  return { x: (nativeEvent.offsetX - view.x) / view.scale, y: (nativeEvent.offsetY - view.y) / view.scale };
}

/** The innermost box at a point. */
function boxAt(drawing: Drawing, { x, y }: Point): NodeBox | undefined {
  return drawing.boxes.findLast((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
}

/** What is joined to the selected node by a line, and what frames or fills it; all of it stays bright. */
function neighboursOf(drawing: Drawing, selected: string): ReadonlySet<string> {
  const joined = drawing.lines.flatMap(({ from, to }) => (from === selected ? [to] : to === selected ? [from] : []));
  const inside = drawing.boxes.map(({ path }) => path).filter((path) => path.startsWith(`${selected}/`));
  return new Set([...joined, ...inside]);
}
