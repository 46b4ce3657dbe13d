import { STATE_LOOKS, type StateTone } from "../../format/state-look.ts";
import { cssColor, readColors } from "../../ui/read-colors.ts";
import { startPainting } from "../../ui/use-painting.ts";
import type { Drawing, EdgeLine, NodeBox } from "@weft/shared/drawing/draw-network.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { smoothPath } from "@weft/shared/drawing/smooth-path.ts";
import type { StepProgress } from "./step-progress.ts";
import { overlaps, visiblePart, type Size, type Viewport } from "./viewport/viewport.ts";

const TONES = Object.values(STATE_LOOKS).map(({ tone }) => tone);
const COLORS = ["edge", "accent", "surface", "ink", "line", "canvas", ...TONES];

export interface GraphPicture {
  readonly drawing: Drawing;
  readonly view: Viewport;
  /** Path of the selected node. */
  readonly selected: string;
  /** The highlighted edges before and after the selected node. */
  readonly marked: ReadonlySet<EdgeLine>;
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
  /** Paints the nodes too, because they are too small to be buttons. */
  readonly withBoxes: boolean;
}

/**
 * Paints the visible part of a graph: always its edges, and when zoomed out also its nodes in the color of their state.
 */
export function paintGraph(canvas: HTMLCanvasElement, picture: GraphPicture): void {
  const started = startPainting(canvas);
  if (started === undefined) return;
  const { context } = started;
  const { drawing, view, marked, selected } = picture;
  const color = readColors(canvas, COLORS);
  const part = visiblePart(view, { width: canvas.clientWidth, height: canvas.clientHeight });
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  context.strokeStyle = cssColor(color("edge"));
  context.lineWidth = Math.max(1.2, 0.5 / view.scale);
  context.globalAlpha = marked.size === 0 ? 0.75 : 0.35;
  for (const line of drawing.lines) {
    const shape = shapeOf(line);
    if (!overlaps(shape, part)) continue;
    if (!marked.has(line)) context.stroke(shape.path);
  }
  context.globalAlpha = 1;
  context.strokeStyle = cssColor(color("accent"));
  for (const line of marked) {
    const isNear = line.from === selected || line.to === selected;
    context.lineWidth = Math.max(isNear ? 2.6 : 1.6, (isNear ? 1.5 : 1) / view.scale);
    context.stroke(shapeOf(line).path);
  }
  if (picture.withBoxes)
    for (const box of drawing.boxes)
      if (overlaps(box, part)) paintBox(context, box, { picture, color: (name) => cssColor(color(name)) });
}

interface BoxPaint {
  readonly picture: GraphPicture;
  readonly color: (name: string) => string;
}

function paintBox(context: CanvasRenderingContext2D, box: NodeBox, { picture, color }: BoxPaint): void {
  const progress = picture.progressOf(box.node.step);
  const isSelected = box.path === picture.selected;
  context.strokeStyle = color(isSelected ? "accent" : "edge");
  context.lineWidth = (isSelected ? 4 : 1) / picture.view.scale;
  if (!box.expanded) {
    context.fillStyle = color("surface");
    context.fillRect(box.x, box.y, box.width, box.height);
    if (progress !== undefined) fillByState(context, box, STATE_LOOKS[progress.state].tone, color);
  }
  context.strokeRect(box.x, box.y, box.width, box.height);
}

/** Each state has its own shape in its color: waiting is hollow, running half full, failed crossed out. */
function fillByState(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: NodeBox,
  tone: StateTone,
  color: (name: string) => string,
): void {
  if (tone === "queued") return;
  const isPart = tone === "running" || tone === "paused";
  context.fillStyle = color(tone);
  context.fillRect(x, y, isPart ? width / 2 : width, height);
  if (tone === "success" || isPart) return;
  context.save();
  context.strokeStyle = color("surface");
  context.lineWidth = height / 8;
  const [left, right] = [x + width / 2 - height / 3, x + width / 2 + height / 3];
  const [top, bottom] = [y + height / 6, y + (height * 5) / 6];
  context.beginPath();
  context.moveTo(left, bottom);
  context.lineTo(right, top);
  if (tone === "failed") {
    context.moveTo(left, top);
    context.lineTo(right, bottom);
  }
  context.stroke();
  context.restore();
}

interface Shape extends Point, Size {
  readonly path: Path2D;
}

const shapes = new WeakMap<EdgeLine, Shape>();

/** The curve of an edge and its bounding box, computed once. */
function shapeOf(line: EdgeLine): Shape {
  const known = shapes.get(line);
  if (known !== undefined) return known;
  const xs = line.points.map(({ x }) => x);
  const ys = line.points.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const shape = {
    path: new Path2D(smoothPath(line.points)),
    x,
    y,
    width: Math.max(...xs) - x,
    height: Math.max(...ys) - y,
  };
  shapes.set(line, shape);
  return shape;
}

const NEAR_PX = 6;

/** The edge under a point of the drawing, within a few screen pixels. */
export function lineAt(canvas: HTMLCanvasElement, drawing: Drawing, at: Point, scale: number): EdgeLine | undefined {
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  const near = NEAR_PX / scale;
  const around = { x: at.x - near, y: at.y - near, width: 2 * near, height: 2 * near };
  context.save();
  context.resetTransform();
  context.lineWidth = 2 * near;
  const found = drawing.lines.find((line) => {
    const shape = shapeOf(line);
    return overlaps(shape, around) && context.isPointInStroke(shape.path, at.x, at.y);
  });
  context.restore();
  return found;
}

/** Paints the whole graph at a small scale, with a frame around the visible part. */
export function paintMiniMap(canvas: HTMLCanvasElement, picture: GraphPicture, screen: Size): void {
  const started = startPainting(canvas);
  if (started === undefined) return;
  const { context } = started;
  const color = readColors(canvas, COLORS);
  const { scale, x, y } = miniView(canvas, picture.drawing);
  context.translate(x, y);
  context.scale(scale, scale);
  for (const box of picture.drawing.boxes) {
    const progress = picture.progressOf(box.node.step);
    const isSelected = box.path === picture.selected;
    context.fillStyle = cssColor(color(isSelected ? "accent" : progress ? STATE_LOOKS[progress.state].tone : "edge"));
    if (!box.expanded)
      context.fillRect(box.x, box.y, Math.max(box.width, 1.5 / scale), Math.max(box.height, 1.5 / scale));
  }
  const part = visiblePart(picture.view, screen);
  context.strokeStyle = cssColor(color("accent"));
  context.lineWidth = 1.5 / scale;
  context.strokeRect(part.x, part.y, part.width, part.height);
}

/** Position and scale of the drawing on the minimap. */
export function miniView(canvas: HTMLCanvasElement, { width, height }: Size): Viewport {
  const scale = Math.min(canvas.clientWidth / Math.max(1, width), canvas.clientHeight / Math.max(1, height)) * 0.94;
  return { scale, x: (canvas.clientWidth - width * scale) / 2, y: (canvas.clientHeight - height * scale) / 2 };
}
