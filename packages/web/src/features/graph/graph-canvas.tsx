import { useEffect, useLayoutEffect, useMemo, useRef, useState, type MouseEvent, type PointerEvent } from "react";
import { portText, type Drawing, type NodeBox } from "@weft/shared/drawing/draw-network.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { useArrowShortcuts, useShortcuts } from "../../ui/keyboard/use-shortcuts.ts";
import { usePainting } from "../../ui/use-painting.ts";
import { ViewToolbar, type ViewTool } from "../../ui/view-toolbar.tsx";
import { neighborOf, type Direction } from "../../components/neighbor-of.ts";
import { ConnectLayer, type Connecting } from "./ports/connect-layer.tsx";
import { GraphNode, type NodeActions } from "./graph-node.tsx";
import { lineAt, paintGraph, type GraphPicture, miniView, paintMiniMap } from "./paint-graph.ts";
import { PORT_CARD_ID, PortCard } from "./ports/port-card.tsx";
import { relatedNodes, type Related } from "./related-nodes.ts";
import type { StepProgress } from "./step-progress.ts";
import { isChoosable, useChooseBox, type Choosing } from "./viewport/use-choose-box.ts";
import type { ViewportControl } from "./viewport/use-viewport.ts";
import { overlaps, visiblePart, type Size } from "./viewport/viewport.ts";

/** Below this scale, nodes are painted instead of being buttons. */
const BUTTON_SCALE = 0.35;
/** The number of nodes from which the minimap is initially shown. */
const MAP_FROM = 60;
/** The step in which nodes appear and disappear, so that small movements do not rerender them. */
const CELL = 320;

interface GraphCanvasProps {
  readonly drawing: Drawing;
  readonly control: ViewportControl;
  readonly selected: string;
  /** Selects this node. */
  readonly onSelect: (path: string) => void;
  readonly onToggle: (path: string) => void;
  readonly onExport: () => void;
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
  /** Connecting of ports; absent if the drawing cannot be edited. */
  readonly connecting?: Connecting | undefined;
  /** Choosing of several nodes; absent if only one node can be selected. */
  readonly choosing?: Choosing | undefined;
}

/** The drawing of a network: lines on a canvas, the visible nodes as buttons over it. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { drawing, control, selected, onExport, progressOf } = props;
  const { view, frame, size } = control;
  const related = useMemo(() => (selected === "" ? NOTHING : relatedNodes(drawing, selected)), [drawing, selected]);
  const [pointed, setPointed] = useRested(POINTED_AFTER_MS);
  const [map, setMap] = useState(drawing.boxes.length >= MAP_FROM);
  const hasButtons = view.scale >= BUTTON_SCALE;
  const picture: GraphPicture = { drawing, view, selected, marked: related.lines, progressOf, withBoxes: !hasButtons };
  const onKeyDown = useGraphKeys(props, () => setMap(!map));
  const actions = useNodeActions(props, setPointed);
  const area = useChooseBox(props.choosing, drawing.boxes, control);
  return (
    <div className="card relative min-h-0 min-w-0 overflow-clip max-lg:order-first max-lg:h-[65vh]">
      <div
        ref={frame}
        role="group"
        aria-label="Graph. Use the arrow keys to move between nodes or pan, plus and minus to zoom, F to fit to screen."
        tabIndex={0}
        data-boxes={props.choosing && (props.choosing.isOn ? "always" : "shift")}
        onKeyDown={onKeyDown}
        className="relative h-full touch-none overflow-clip rounded-[10px] bg-sunken/50 -outline-offset-2"
      >
        <PaintedGraph picture={picture} control={control} actions={actions} />
        <div
          className="pointer-events-none relative origin-top-left *:pointer-events-auto"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`, width: 0, height: 0 }}
        >
          {hasButtons && <NodeButtons canvas={props} related={related} pointed={pointed} actions={actions} />}
          {area !== undefined && <ChooseBox area={area} />}
        </div>
        {hasButtons && <PortCard drawing={drawing} path={pointed} control={control} />}
      </div>
      {map && <MiniMap picture={picture} screen={size} onMove={control.centerAt} />}
      <ViewToolbar tools={toolsOf({ control, onExport, map, toggleMap: () => setMap(!map) })} />
    </div>
  );
}

function ChooseBox({ area: { x, y, width, height } }: { readonly area: Point & Size }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none! absolute border-2 border-dashed border-accent bg-accent-soft/40"
      style={{ left: x, top: y, width, height }}
    />
  );
}

interface ToolOptions {
  readonly control: ViewportControl;
  readonly onExport: () => void;
  readonly map: boolean;
  readonly toggleMap: () => void;
}

function toolsOf({ control, onExport, map, toggleMap }: ToolOptions): readonly ViewTool[] {
  return [
    { label: "Zoom in", icon: "plus", act: control.zoomIn },
    { label: "Zoom out", icon: "minus", act: control.zoomOut },
    { label: "Fit to screen", icon: "fit", act: control.fit },
    { label: "Minimap", icon: "map", act: toggleMap, pressed: map },
    { label: "Export as SVG", icon: "download", act: onExport },
  ];
}

interface PaintedGraphProps {
  readonly picture: GraphPicture;
  readonly control: ViewportControl;
  readonly actions: { readonly current: NodeActions };
}

/** The lines, and the nodes too when they are too small to be buttons: then a click selects one. */
function PaintedGraph({ picture, control, actions }: PaintedGraphProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { drawing, view, withBoxes } = picture;
  usePainting(canvas, (element) => paintGraph(element, picture));
  const selectNode = (event: MouseEvent<HTMLCanvasElement>): void => {
    const box = boxAt(drawing, control.pointAt(event));
    if (box !== undefined) actions.current.select(box.path, event.shiftKey);
  };
  const showPorts = (event: MouseEvent<HTMLCanvasElement>): void => {
    const line = event.buttons === 0 && lineAt(event.currentTarget, drawing, control.pointAt(event), view.scale);
    event.currentTarget.title = line ? line.ports.map(portText).join("\n") : "";
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

interface NodeButtonsProps {
  readonly canvas: GraphCanvasProps;
  readonly related: Related;
  /** Path of the node whose ports are shown, "" for none. */
  readonly pointed: string;
  readonly actions: { readonly current: NodeActions };
}

/** The visible nodes as buttons; those that are neither before nor after the selected one are dimmed. */
function NodeButtons({ canvas, related, pointed, actions }: NodeButtonsProps) {
  const { drawing, control, selected, progressOf, connecting, choosing } = canvas;
  const boxes = useVisibleBoxes(drawing, control, selected);
  return (
    <>
      {boxes.map((box) => (
        <GraphNode
          key={box.path}
          box={box}
          selected={box.path === selected}
          chosen={choosing?.chosen.has(box.path) === true && isChoosable(box)}
          dimmed={selected !== "" && !related.paths.has(box.path)}
          describedBy={box.path === pointed ? PORT_CARD_ID : undefined}
          progress={progressOf(box.node.step)}
          actions={actions}
        />
      ))}
      {connecting !== undefined && <ConnectLayer boxes={boxes} control={control} connecting={connecting} />}
    </>
  );
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
    const next = neighborOf(drawing, from, direction);
    if (next === undefined) return;
    pending.current = next.path;
    control.revealBox(next);
    onSelect(next.path);
  };
  return useArrowShortcuts(go);
}

/** The actions of the last render. */
function useNodeActions(
  { control, selected, onSelect, onToggle, choosing }: GraphCanvasProps,
  pointed: (path: string) => void,
): { readonly current: NodeActions } {
  const actions: NodeActions = {
    select: (path, adds) => {
      const chooses = choosing !== undefined && (adds || choosing.isOn);
      if (chooses) choosing.onToggle(path);
      else onSelect(path === selected ? "" : path);
    },
    toggle: onToggle,
    focused: (box) => {
      control.revealBox(box);
      pointed(box.path);
    },
    pointed,
  };
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  return latest;
}

/** Boxes in or near the visible area, and the selected one, which may have the focus. */
function useVisibleBoxes(drawing: Drawing, { view, size }: ViewportControl, selected: string): readonly NodeBox[] {
  const part = visiblePart(view, size);
  const x = Math.floor(part.x / CELL) * CELL;
  const y = Math.floor(part.y / CELL) * CELL;
  const width = Math.ceil((part.x + part.width) / CELL) * CELL - x;
  const height = Math.ceil((part.y + part.height) / CELL) * CELL - y;
  return useMemo(
    () => drawing.boxes.filter((box) => box.path === selected || overlaps(box, { x, y, width, height })),
    [drawing, selected, x, y, width, height],
  );
}

/** The innermost box at a point. */
function boxAt(drawing: Drawing, { x, y }: Point): NodeBox | undefined {
  return drawing.boxes.findLast((box) => overlaps(box, { x, y, width: 0, height: 0 }));
}

const NOTHING: Related = { paths: new Set(), lines: new Set() };
const POINTED_AFTER_MS = 250;

/** Delays a value until it stays unchanged for a while; "" takes effect at once. */
function useRested(afterMs: number): readonly [string, (value: string) => void] {
  const [rested, setRested] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const set = (value: string): void => {
    clearTimeout(timer.current);
    if (value === "") setRested("");
    else timer.current = setTimeout(() => setRested(value), afterMs);
  };
  return [rested, set];
}

interface MiniMapProps {
  readonly picture: GraphPicture;
  readonly screen: Size;
  /** Called with the point of the drawing to center on. */
  readonly onMove: (to: Point) => void;
}

/** The whole graph in a corner: click or drag to navigate. Keyboard and screen reader users have the tree instead. */
function MiniMap({ picture, screen, onMove }: MiniMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  usePainting(canvas, (element) => paintMiniMap(element, picture, screen));
  const go = (event: PointerEvent<HTMLCanvasElement>): void => {
    const { scale, x, y } = miniView(event.currentTarget, picture.drawing);
    onMove({ x: (event.nativeEvent.offsetX - x) / scale, y: (event.nativeEvent.offsetY - y) / scale });
  };
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      data-testid="minimap"
      className="absolute bottom-2.5 left-2.5 h-28 w-44 cursor-pointer touch-none rounded-lg border border-line bg-surface shadow-sm"
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    />
  );
}
