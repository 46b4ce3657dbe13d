import { formatDuration } from "../../../format/format-duration.ts";
import { cssColour, readColours, type Rgb } from "../../../ui/read-colours.ts";
import { startPainting } from "../../../ui/use-painting.ts";
import type { TimelineRows } from "./arrange-rows.ts";
import { fillRaster, isInked, type Raster } from "./fill-raster.ts";
import { PIECE_KINDS, PIECE_LOOKS } from "./job-segments.ts";
import { timeTicks, type TimeView } from "./time-view.ts";

/** Room for the names of steps at the left and the marks of time on top, in CSS pixels. */
export const GUTTER_PX = 150;
export const AXIS_PX = 24;

const TICK_DISTANCE_PX = 110;
const LABEL_PX = 13;
const COLOURS = ["surface", "line", "ink", "soft", ...PIECE_KINDS.map((kind) => PIECE_LOOKS[kind].tone)];

export interface Picture {
  readonly rows: TimelineRows;
  readonly view: TimeView;
  readonly nowMs: number;
}

/** Draws a timeline over the whole canvas, whose size and colours are read from the page. */
export function paintTimeline(canvas: HTMLCanvasElement, picture: Picture): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const started = startPainting(canvas);
  if (started === undefined || width <= GUTTER_PX || height <= AXIS_PX) return;
  const { context, ratio } = started;
  const colour = readColours(canvas, COLOURS);
  const size = { width, height };
  paintBars(context, picture, { size, ratio, colour });
  paintTicks(context, picture, { size, ratio, colour });
  paintNames(context, picture, { size, ratio, colour });
}

interface Surface {
  readonly size: { readonly width: number; readonly height: number };
  readonly ratio: number;
  readonly colour: (name: string) => Rgb;
}

let kept: Raster = { width: 0, height: 0, pixels: new Uint8Array() };

function rasterOf(width: number, height: number): Raster {
  if (kept.width !== width || kept.height !== height) kept = { width, height, pixels: new Uint8Array(width * height) };
  return kept;
}

function paintBars(context: CanvasRenderingContext2D, picture: Picture, { size, ratio, colour }: Surface): void {
  const raster = rasterOf(Math.round((size.width - GUTTER_PX) * ratio), Math.round((size.height - AXIS_PX) * ratio));
  fillRaster(raster, picture.rows.rows, picture.view, picture.nowMs);
  const image = context.createImageData(raster.width, raster.height);
  const words = new Uint32Array(image.data.buffer);
  const full = [0, ...PIECE_KINDS.map((kind) => pack(colour(PIECE_LOOKS[kind].tone)))];
  const light = [0, ...PIECE_KINDS.map((kind) => pack(mix(colour(PIECE_LOOKS[kind].tone), colour("surface"), 0.62)))];
  for (let y = 0, at = 0; y < raster.height; y += 1)
    for (let x = 0; x < raster.width; x += 1, at += 1) {
      const code = raster.pixels[at] ?? 0;
      if (code !== 0) words[at] = (isInked(code, x, y) ? full[code] : light[code]) ?? 0;
    }
  context.putImageData(image, Math.round(GUTTER_PX * ratio), Math.round(AXIS_PX * ratio));
}

/** As ImageData holds it on the machines there are: red in the lowest byte. */
function pack([r, g, b]: Rgb): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (place: 0 | 1 | 2): number => Math.round(from[place] + (to[place] - from[place]) * share);
  return [part(0), part(1), part(2)];
}

function paintTicks(context: CanvasRenderingContext2D, { rows, view }: Picture, { size, colour }: Surface): void {
  const plot = size.width - GUTTER_PX;
  context.font = `${LABEL_PX - 1}px ${getComputedStyle(context.canvas).fontFamily}`;
  context.textBaseline = "middle";
  for (const tickMs of timeTicks(view, rows.fromMs, Math.max(1, plot / TICK_DISTANCE_PX))) {
    const x = GUTTER_PX + ((rows.fromMs + tickMs - view.fromMs) / (view.toMs - view.fromMs)) * plot;
    context.fillStyle = cssColour(colour("line"));
    context.fillRect(Math.round(x), AXIS_PX - 5, 1, size.height);
    context.fillStyle = cssColour(colour("soft"));
    context.fillText(tickMs === 0 ? "0" : formatDuration(tickMs), Math.min(x + 4, size.width - 44), AXIS_PX / 2);
  }
}

function paintNames(context: CanvasRenderingContext2D, { rows, view }: Picture, { size, colour }: Surface): void {
  const rowPx = (size.height - AXIS_PX) / (view.bottom - view.top);
  const yOf = (row: number): number => AXIS_PX + (row - view.top) * rowPx;
  context.save();
  context.beginPath();
  context.rect(0, AXIS_PX, GUTTER_PX - 6, size.height);
  context.clip();
  let free = AXIS_PX;
  for (const { step, first, count } of rows.steps) {
    if (yOf(first + count) < AXIS_PX || yOf(first) > size.height) continue;
    context.fillStyle = cssColour(colour("line"));
    context.fillRect(0, Math.round(yOf(first)), GUTTER_PX, 1);
    const y = Math.max(yOf(first), AXIS_PX) + LABEL_PX / 2 + 2;
    if (y - LABEL_PX / 2 < free) continue; // a name over another could not be read
    context.fillStyle = cssColour(colour("ink"));
    context.fillText(shortName(context, step === "" ? "the tool" : step), 8, y);
    free = y + LABEL_PX / 2;
  }
  context.restore();
}

/** Shortens the path of a nested step to its own name if there is no space. */
function shortName(context: CanvasRenderingContext2D, step: string): string {
  const inner = step.slice(step.lastIndexOf("/") + 1);
  return context.measureText(step).width <= GUTTER_PX - 16 || inner === step ? step : `…/${inner}`;
}
