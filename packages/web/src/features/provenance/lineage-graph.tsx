import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Direction, neighborOf, type PlacedBox } from "../../components/neighbor-of.ts";
import { useDrawn } from "../../components/use-drawn.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useArrowShortcuts } from "../../ui/keyboard/use-shortcuts.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { drawLineage, type LineageBox, type LineageDrawing, relatedTo } from "./draw-lineage.ts";
import { type FoldedNode, foldLineage, networkPaths } from "./fold-lineage.ts";

/** Nested networks start unfolded where the graph then has no more nodes than this. */
const UNFOLD_UP_TO = 40;

/**
 * The maximum number of nodes in a low box. The height must be known before the graph is drawn, so that the page does
 * not move.
 */
const SMALL = 5;

interface LineageGraphProps {
  readonly lineage: RunLineage;
  /** Id of the selected node, "" for none. */
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** The files and jobs of a run from left to right, those of all samples folded; it scrolls in a box of its own. */
export function LineageGraph({ lineage, selected, onSelect }: LineageGraphProps) {
  const [open, setOpen] = useState(() => startOpen(lineage));
  const folded = useMemo(() => foldLineage(lineage, open), [lineage, open]);
  const drawing = useDrawn(folded, folded.nodes.length <= AT_ONCE_UP_TO, DRAWER);
  const networks = networkPaths(lineage);
  return (
    <div className="card relative overflow-clip">
      <div className={folded.nodes.length > SMALL ? "h-[min(46vh,34rem)]" : "h-48"}>
        {drawing === undefined ? (
          <Skeleton rows={4} />
        ) : (
          <DrawnLineage
            drawing={drawing}
            selected={selected}
            onSelect={onSelect}
            onOpen={(path) => setOpen(new Set([...open, path]))}
          />
        )}
      </div>
      {networks.size > 0 && (
        <p className="flex gap-2 border-t border-line px-3 py-1.5">
          <Button small onClick={() => setOpen(open.size > 0 ? new Set() : networks)}>
            {open.size > 0 ? "Collapse nested networks" : "Expand nested networks"}
          </Button>
        </p>
      )}
    </div>
  );
}

function startOpen(lineage: RunLineage): ReadonlySet<string> {
  const all = networkPaths(lineage);
  return foldLineage(lineage, all).nodes.length <= UNFOLD_UP_TO ? all : new Set();
}

interface DrawnLineageProps extends Omit<LineageGraphProps, "lineage"> {
  readonly drawing: LineageDrawing;
  readonly onOpen: (path: string) => void;
}

function DrawnLineage({ drawing, selected, onSelect, onOpen }: DrawnLineageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const area = useVisibleArea(frame);
  const [focused, setFocused] = useState("");
  useScrollToChosen(frame);
  const related = selected === "" ? undefined : relatedTo(selected, drawing.lines);
  const reachable = firstThere(drawing, [focused, selected]);
  const onKeyDown = useArrowKeys(frame, { drawing, from: reachable ?? "", focus: setFocused });
  const shown = drawing.boxes.filter((box) => box.path === reachable || box.path === selected || isVisible(box, area));
  const act = ({ node }: LineageBox): void => {
    if (node.kind === "network") onOpen(node.step ?? "");
    else onSelect(node.id === selected ? "" : node.id);
  };
  return (
    <div
      ref={frame}
      role="group"
      aria-label="Files and jobs from left to right. Use the arrow keys to follow the lines, and Enter to select."
      className="h-full overflow-auto bg-sunken/40"
      onKeyDown={onKeyDown}
    >
      <div className="relative mx-auto" style={{ width: drawing.width, height: drawing.height }}>
        <Lines drawing={drawing} related={related} />
        {shown.map((box) => (
          <LineageNode
            key={box.path}
            box={box}
            selected={box.path === selected}
            dimmed={related !== undefined && !related.has(box.path)}
            reachable={box.path === reachable}
            onFocus={() => setFocused(box.path)}
            onPress={() => act(box)}
          />
        ))}
      </div>
    </div>
  );
}

/** A page that opens with a chosen node shows it. */
function useScrollToChosen(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const chosen = frame.current?.querySelector("[aria-pressed=true]");
    chosen?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [frame]);
}

/** One node can be reached with Tab; arrow keys lead to the others. */
function firstThere({ boxes }: LineageDrawing, ids: readonly string[]): string | undefined {
  return ids.find((id) => boxes.some(({ path }) => path === id)) ?? boxes[0]?.path;
}

interface LinesProps {
  readonly drawing: LineageDrawing;
  readonly related: ReadonlySet<string> | undefined;
}

/** Two paths for all lines, however many there are. */
function Lines({ drawing, related }: LinesProps) {
  const isMarked = ({ from, to }: LineageDrawing["lines"][number]) => related?.has(from) === true && related.has(to);
  const draw = (lines: LineageDrawing["lines"]): string => lines.map(({ path }) => path).join("");
  return (
    <svg className="absolute inset-0" width={drawing.width} height={drawing.height} aria-hidden="true" fill="none">
      <path className="stroke-edge" strokeWidth="1.3" d={draw(drawing.lines.filter((line) => !isMarked(line)))} />
      <path className="stroke-accent" strokeWidth="2" d={draw(drawing.lines.filter(isMarked))} />
    </svg>
  );
}

interface ArrowKeys {
  readonly drawing: LineageDrawing;
  /** The node from which the arrow keys move. */
  readonly from: string;
  readonly focus: (id: string) => void;
}

function useArrowKeys(frame: RefObject<HTMLDivElement | null>, { drawing, from, focus }: ArrowKeys) {
  const pending = useRef("");
  useLayoutEffect(() => {
    if (pending.current === "") return;
    const button = frame.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(pending.current)}"]`);
    pending.current = "";
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const go = (direction: Direction) => (): void => {
    const next = neighborOf(drawing, from, direction);
    if (next === undefined) return;
    pending.current = next.path;
    focus(next.path);
  };
  return useArrowShortcuts(go);
}

/** Up to this many nodes are placed within a frame. */
const AT_ONCE_UP_TO = 200;

const DRAWER = {
  draw: drawLineage,
  start: () => new Worker(new URL("./draw-lineage-worker.ts", import.meta.url), { type: "module" }),
};

interface LineageNodeProps {
  readonly box: LineageBox;
  readonly selected: boolean;
  readonly dimmed: boolean;
  /** True if the node can be reached with Tab. */
  readonly reachable: boolean;
  readonly onFocus: () => void;
  readonly onPress: () => void;
}

/** Files are round, jobs have a bar at their left; both are buttons. */
function LineageNode({ box, selected, dimmed, reachable, onFocus, onPress }: LineageNodeProps) {
  const { node } = box;
  return (
    <Button
      look="bare"
      data-path={box.path}
      tabIndex={reachable ? 0 : -1}
      {...(node.kind === "network" ? { "aria-expanded": false } : { "aria-pressed": selected })}
      title={titleOf(node)}
      className={`absolute flex items-center gap-2 border text-left leading-snug hover:border-accent ${lookOf(node, { selected, dimmed })}`}
      style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
      onFocus={onFocus}
      onClick={onPress}
    >
      {node.kind === "files" && <Icon name="file" className="size-4 shrink-0 text-soft" />}
      <NodeFace node={node} />
      {node.kind === "network" && <Icon name="plus" className="size-3.5 shrink-0" />}
    </Button>
  );
}

function lookOf(node: FoldedNode, { selected, dimmed }: Pick<LineageNodeProps, "selected" | "dimmed">): string {
  const shape = node.kind === "files" ? "rounded-full px-4" : "rounded-lg border-l-4 px-2.5";
  if (selected) return `${shape} border-accent bg-surface ring-3 ring-accent/40`;
  if (node.failed > 0) return `${shape} border-failed bg-failed-soft`;
  return `${shape} ${dimmed ? "border-line bg-canvas text-soft" : "border-edge/70 bg-surface"}`;
}

function NodeFace({ node }: { readonly node: FoldedNode }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex gap-2">
        <span className="sr-only">{node.kind === "files" ? "Files: " : "Jobs: "}</span>
        <span className="min-w-0 truncate font-medium">{node.label}</span>
        {node.kind !== "files" && node.count > 1 && (
          <span className="ml-auto shrink-0 text-small text-soft tabular-nums">×{numberText(node.count)}</span>
        )}
        {node.outputs.length > 0 && (
          <span className="ml-auto shrink-0 rounded bg-accent-soft px-1 text-caption font-semibold text-accent">
            output
          </span>
        )}
      </span>
      <span className="block truncate text-small text-soft">
        {node.failed > 0 && <span className="text-failed">{node.failed} failed </span>}
        {node.detail}
      </span>
    </span>
  );
}

function titleOf({ kind, label, detail, count, outputs }: FoldedNode): string {
  const what = kind === "files" ? `${label}: ${detail}` : `${label}: ${countText(count, "job")}, ${detail}`;
  return outputs.length === 0 ? what : `${what}; output ${outputs.join(", ")} of the run`;
}

/** The visible part of a drawing, in steps of CELL, so that small movements do not rerender it. */
interface VisibleArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const CELL = 320;
/** The visible area before the frame has been measured. */
const FIRST: VisibleArea = { left: 0, top: 0, right: 4 * CELL, bottom: 2 * CELL };

/** The visible part of a scrolling frame's content. */
function useVisibleArea(frame: RefObject<HTMLElement | null>): VisibleArea {
  const [area, setArea] = useState(FIRST);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const next = visibleAreaOf(element);
      setArea((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [frame]);
  return area;
}

function visibleAreaOf({ scrollLeft, scrollTop, clientWidth, clientHeight }: HTMLElement): VisibleArea {
  const down = (px: number) => (Math.floor(px / CELL) - 1) * CELL;
  const up = (px: number) => (Math.ceil(px / CELL) + 1) * CELL;
  return {
    left: down(scrollLeft),
    top: down(scrollTop),
    right: up(scrollLeft + clientWidth),
    bottom: up(scrollTop + clientHeight),
  };
}

function isVisible({ x, y, width, height }: PlacedBox, { left, top, right, bottom }: VisibleArea): boolean {
  return x <= right && x + width >= left && y <= bottom && y + height >= top;
}
