import type { Point } from "./layout/layout-layers.ts";

/** How the drawing lies on the screen: screen = drawing × scale + (x, y). */
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

/** Changes the scale around a point of the screen, which stays where it is. */
export function zoomAt(view: Viewport, at: Point, factor: number): Viewport {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor));
  const ratio = scale / view.scale;
  return { x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio, scale };
}

export function panBy(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** The whole drawing in the middle of the screen, never larger than life. */
export function fitTo(drawing: Size, screen: Size): Viewport {
  const scale = Math.min(
    1,
    (screen.width - 2 * MARGIN) / Math.max(drawing.width, 1),
    (screen.height - 2 * MARGIN) / Math.max(drawing.height, 1),
  );
  const bounded = Math.max(MIN_SCALE, scale);
  return {
    x: (screen.width - drawing.width * bounded) / 2,
    y: (screen.height - drawing.height * bounded) / 2,
    scale: bounded,
  };
}

/** Smaller than this, names cannot be read. */
const READABLE_SCALE = 0.5;

/** How a drawing is shown first: whole where it can be read then, else its beginning. */
export function firstView(drawing: Size, screen: Size): Viewport {
  const whole = fitTo(drawing, screen);
  if (whole.scale >= READABLE_SCALE) return whole;
  return { x: MARGIN, y: (screen.height - drawing.height * READABLE_SCALE) / 2, scale: READABLE_SCALE };
}

/** The box in the middle of the screen, large enough to be read. */
export function centreOn(view: Viewport, box: Point & Size, screen: Size): Viewport {
  const scale = Math.max(view.scale, READABLE_SCALE);
  return {
    x: screen.width / 2 - (box.x + box.width / 2) * scale,
    y: screen.height / 2 - (box.y + box.height / 2) * scale,
    scale,
  };
}

/** The part of the drawing that is in sight. */
export function visiblePart(view: Viewport, screen: Size): Point & Size {
  return {
    x: -view.x / view.scale,
    y: -view.y / view.scale,
    width: screen.width / view.scale,
    height: screen.height / view.scale,
  };
}

/** The least movement that brings a box of the drawing into sight. */
export function reveal(view: Viewport, box: Point & Size, screen: Size): Viewport {
  const [left, top] = [box.x * view.scale + view.x, box.y * view.scale + view.y];
  const [right, bottom] = [left + box.width * view.scale, top + box.height * view.scale];
  const dx = left < MARGIN ? MARGIN - left : Math.min(0, screen.width - MARGIN - right);
  const dy = top < MARGIN ? MARGIN - top : Math.min(0, screen.height - MARGIN - bottom);
  return dx === 0 && dy === 0 ? view : panBy(view, dx, dy);
}
