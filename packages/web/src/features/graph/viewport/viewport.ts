import type { Drawing, NodeBox } from "@weft/shared/drawing/draw-network.ts";
import type { Point } from "@weft/shared/drawing/layout/layout-layers.ts";
import { isFailed } from "../../../format/state-look.ts";
import type { StepProgress } from "../step-progress.ts";

/** Position and scale of the drawing on the screen: screen = drawing × scale + (x, y). */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN_SCALE = 0.02;
const MAX_SCALE = 2.5;
const MARGIN = 24;
/** The buttons that zoom are at the right edge, and must not cover nodes. */
const RIGHT_MARGIN = 60;

/** Zooms around a fixed point of the screen. */
export function zoomAt(view: Viewport, at: Point, factor: number): Viewport {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor));
  const ratio = scale / view.scale;
  return { x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio, scale };
}

export function panBy(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Maximum scale of a small graph in a large window. */
const LARGEST_FIT = 1.3;

/** The whole drawing in the middle of the screen. */
export function fitTo(drawing: Size, screen: Size): Viewport {
  const scale = Math.min(
    LARGEST_FIT,
    (screen.width - MARGIN - RIGHT_MARGIN) / Math.max(drawing.width, 1),
    (screen.height - 2 * MARGIN) / Math.max(drawing.height, 1),
  );
  const bounded = Math.max(MIN_SCALE, scale);
  return {
    x: within(0, drawing.width * bounded, screen.width, RIGHT_MARGIN),
    y: within(0, drawing.height * bounded, screen.height, MARGIN),
    scale: bounded,
  };
}

/** The scale at which the smallest label (13 pixels in the drawing) is 11 pixels on the screen. */
const READABLE_SCALE = 0.85;

/** The scale at which names of steps are still legible. */
const SMALLEST_WHOLE = 0.65;

/**
 * The initial view: the whole drawing if its names are legible, else the part around `start` (the step that failed, or
 * the first) at a readable scale.
 */
export function firstView(drawing: Size, screen: Size, start: Point & Size): Viewport {
  const whole = fitTo(drawing, screen);
  if (whole.scale >= SMALLEST_WHOLE) return whole;
  const centered = centerOn({ x: 0, y: 0, scale: READABLE_SCALE }, start, screen);
  return {
    x: within(centered.x, drawing.width * READABLE_SCALE, screen.width, RIGHT_MARGIN),
    y: within(centered.y, drawing.height * READABLE_SCALE, screen.height, MARGIN),
    scale: READABLE_SCALE,
  };
}

/**
 * Leaves no empty margin at one end while the drawing is cut off at the other; centers a drawing that is smaller than
 * the screen.
 */
function within(offset: number, length: number, room: number, end: number): number {
  if (length + MARGIN + end <= room) return Math.min((room - length) / 2, room - end - length);
  return Math.min(MARGIN, Math.max(room - end - length, offset));
}

/** Centers the box at a readable scale. */
export function centerOn(view: Viewport, box: Point & Size, screen: Size): Viewport {
  const scale = Math.max(view.scale, READABLE_SCALE);
  return {
    x: screen.width / 2 - (box.x + box.width / 2) * scale,
    y: screen.height / 2 - (box.y + box.height / 2) * scale,
    scale,
  };
}

/** The visible part of the drawing. */
export function visiblePart(view: Viewport, screen: Size): Point & Size {
  return {
    x: -view.x / view.scale,
    y: -view.y / view.scale,
    width: screen.width / view.scale,
    height: screen.height / view.scale,
  };
}

/** True if two areas of the drawing meet. */
export function overlaps(a: Point & Size, b: Point & Size): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
}

/** The smallest movement that makes a box of the drawing visible. */
export function reveal(view: Viewport, box: Point & Size, screen: Size): Viewport {
  const [left, top] = [box.x * view.scale + view.x, box.y * view.scale + view.y];
  const [right, bottom] = [left + box.width * view.scale, top + box.height * view.scale];
  const dx = left < MARGIN ? MARGIN - left : Math.min(0, screen.width - RIGHT_MARGIN - right);
  const dy = top < MARGIN ? MARGIN - top : Math.min(0, screen.height - MARGIN - bottom);
  return dx === 0 && dy === 0 ? view : panBy(view, dx, dy);
}

/** The node that a large drawing shows first: the first failed step, else the first step, else the first node. */
export function startOf(
  { boxes }: Drawing,
  progressOf: (step: string | undefined) => StepProgress | undefined,
): NodeBox | undefined {
  const inOrder = boxes.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const steps = inOrder.filter(({ node, expanded }) => node.kind === "step" && !expanded);
  const failed = steps.find(({ node }) => {
    const progress = progressOf(node.step);
    return progress !== undefined && isFailed(progress.state);
  });
  return failed ?? steps[0] ?? inOrder[0];
}
