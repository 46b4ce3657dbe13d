import { countText } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { cssColor, readColors, type Rgb } from "../../../ui/read-colors.ts";
import { startPainting } from "../../../ui/use-painting.ts";
import { fillRaster, isInked, type Raster } from "./fill-raster.ts";
import { AXIS_PX, CURVE_GAP_PX, CURVE_PX, TOP_PX, gutterOf, timeTicks, type TimeView } from "./time-view.ts";
import { PIECE_KINDS, PIECE_LOOKS, type TimelineRows } from "./timeline-jobs.ts";

const TICK_DISTANCE_PX = 110;
const LABEL_PX = 13;
/** Minimum row height for job names. */
const NAMED_ROW_PX = LABEL_PX;
const COLORS = ["surface", "line", "ink", "soft", "accent", ...PIECE_KINDS.map((kind) => PIECE_LOOKS[kind].tone)];

export interface Picture {
  readonly rows: TimelineRows;
  readonly view: TimeView;
  readonly nowMs: number;
  /** Rows of the jobs of the critical path. */
  readonly path: readonly number[];
}

/** Draws a timeline over the whole canvas with the colors of the page's theme. */
export function paintTimeline(canvas: HTMLCanvasElement, picture: Picture): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const started = startPainting(canvas);
  const gutter = gutterOf(width);
  if (started === undefined || width <= gutter || height <= TOP_PX) return;
  const { context, ratio } = started;
  const color = readColors(canvas, COLORS);
  const surface: Surface = { size: { width, height, gutter }, ratio, color };
  paintBars(context, picture, surface);
  paintTicks(context, picture, surface);
  paintCurves(context, picture, surface);
  paintPath(context, picture, surface);
  paintJobNames(context, picture, surface);
  paintNames(context, picture, surface);
}

interface Surface {
  readonly size: { readonly width: number; readonly height: number; readonly gutter: number };
  readonly ratio: number;
  readonly color: (name: string) => Rgb;
}

let kept: Raster = { width: 0, height: 0, pixels: new Uint8Array() };

function rasterOf(width: number, height: number): Raster {
  if (kept.width !== width || kept.height !== height) kept = { width, height, pixels: new Uint8Array(width * height) };
  return kept;
}

function paintBars(context: CanvasRenderingContext2D, picture: Picture, { size, ratio, color }: Surface): void {
  const raster = rasterOf(Math.round((size.width - size.gutter) * ratio), Math.round((size.height - TOP_PX) * ratio));
  fillRaster(raster, picture.rows.rows, picture.view, picture.nowMs);
  const image = context.createImageData(raster.width, raster.height);
  const words = new Uint32Array(image.data.buffer);
  const full = [0, ...PIECE_KINDS.map((kind) => pack(color(PIECE_LOOKS[kind].tone)))];
  const light = [0, ...PIECE_KINDS.map((kind) => pack(mix(color(PIECE_LOOKS[kind].tone), color("surface"), 0.62)))];
  for (let y = 0, at = 0; y < raster.height; y += 1)
    for (let x = 0; x < raster.width; x += 1, at += 1) {
      const code = raster.pixels[at] ?? 0;
      if (code !== 0) words[at] = (isInked(code, x, y) ? full[code] : light[code]) ?? 0;
    }
  context.putImageData(image, Math.round(size.gutter * ratio), Math.round(TOP_PX * ratio));
}

/** Byte order of ImageData on little-endian machines: red in the lowest byte. */
function pack([r, g, b]: Rgb): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (place: 0 | 1 | 2): number => Math.round(from[place] + (to[place] - from[place]) * share);
  return [part(0), part(1), part(2)];
}

function paintTicks(context: CanvasRenderingContext2D, { rows, view }: Picture, { size, color }: Surface): void {
  const plot = size.width - size.gutter;
  context.font = `${LABEL_PX - 1}px ${getComputedStyle(context.canvas).fontFamily}`;
  context.textBaseline = "middle";
  for (const tickMs of timeTicks(view, rows.fromMs, Math.max(1, plot / TICK_DISTANCE_PX))) {
    const x = size.gutter + ((rows.fromMs + tickMs - view.fromMs) / (view.toMs - view.fromMs)) * plot;
    context.fillStyle = cssColor(color("line"));
    context.fillRect(Math.round(x), AXIS_PX - 5, 1, size.height);
    context.fillStyle = cssColor(color("soft"));
    const text = tickMs === 0 ? "0" : formatDuration(tickMs).replace(/(?: 00 \w+)+$/, ""); // `2 h`, not `2 h 00 m 00 s`
    if (x + 4 + context.measureText(text).width < size.width) context.fillText(text, x + 4, AXIS_PX / 2);
  }
}

/** Number of concurrent jobs, and the memory that they used together. */
function paintCurves(context: CanvasRenderingContext2D, { rows, view, nowMs }: Picture, surface: Surface): void {
  const { size } = surface;
  const { jobs, bytes, mostJobs, mostBytes } = runningCurves(rows.rows, view, size.width - size.gutter, nowMs);
  const most = Math.ceil(mostJobs - 1e-6);
  paintCurve(context, { values: jobs, most: mostJobs, top: AXIS_PX, texts: ["Running", `up to ${most}`] }, surface);
  const top = AXIS_PX + CURVE_PX + CURVE_GAP_PX;
  const text = mostBytes > 0 ? `up to ${formatBytes(mostBytes)}` : "unknown";
  paintCurve(context, { values: bytes, most: mostBytes, top, texts: ["Memory", text] }, surface);
}

interface Curve {
  readonly values: Float64Array;
  readonly most: number;
  readonly top: number;
  /** Name and largest value. */
  readonly texts: readonly [string, string];
}

function paintCurve(context: CanvasRenderingContext2D, curve: Curve, { size, color }: Surface): void {
  const { values, most, top, texts } = curve;
  const bottom = top + CURVE_PX;
  const heightOf = (value: number): number => (most === 0 ? 0 : (value / most) * (CURVE_PX - 2));
  context.fillStyle = cssColor(mix(color("running"), color("surface"), 0.62));
  values.forEach((value, x) => context.fillRect(size.gutter + x, bottom - heightOf(value), 1, heightOf(value)));
  context.fillStyle = cssColor(color("running"));
  values.forEach((value, x) => value > 0 && context.fillRect(size.gutter + x, bottom - heightOf(value) - 1, 1, 1.5));
  context.fillStyle = cssColor(color("line"));
  context.fillRect(0, bottom, size.width, 1);
  context.fillStyle = cssColor(color("ink"));
  context.fillText(texts[0], 8, top + 14);
  context.fillStyle = cssColor(color("soft"));
  context.fillText(texts[1], 8, top + 30);
}

function boxOf(row: number, { rows, view, nowMs }: Picture, { size }: Surface) {
  const job = rows.rows[row];
  const scale = (size.width - size.gutter) / (view.toMs - view.fromMs);
  const xOf = (ms: number): number => size.gutter + (ms - view.fromMs) * scale;
  const rowPx = (size.height - TOP_PX) / (view.bottom - view.top);
  const top = TOP_PX + (row - view.top) * rowPx;
  const startMs = job?.startedMs ?? job?.queuedMs ?? 0;
  return { job, rowPx, top, left: xOf(startMs), right: xOf(job?.endedMs ?? Math.max(nowMs, startMs)) };
}

/** Outlines the jobs of the critical path, and connects each to the next. */
function paintPath(context: CanvasRenderingContext2D, picture: Picture, surface: Surface): void {
  const { size, color } = surface;
  context.save();
  context.beginPath();
  context.rect(size.gutter, TOP_PX, size.width, size.height);
  context.clip();
  context.strokeStyle = cssColor(color("ink"));
  context.lineWidth = 2;
  let before: { readonly x: number; readonly y: number } | undefined;
  for (const row of picture.path) {
    const { rowPx, top, left, right } = boxOf(row, picture, surface);
    const [height, width] = [Math.max(5, rowPx), Math.max(5, right - left)];
    const y = top + rowPx / 2;
    context.strokeRect(left, y - height / 2, width, height);
    if (before !== undefined) {
      context.beginPath();
      context.moveTo(before.x, before.y);
      context.lineTo(before.x, y);
      context.lineTo(left, y);
      context.stroke();
    }
    before = { x: left + width, y };
  }
  context.restore();
}

/** Draws job names if rows are high enough: right of the bars, or left of bars that end at the edge. */
function paintJobNames(context: CanvasRenderingContext2D, picture: Picture, surface: Surface): void {
  const { size } = surface;
  const { view, rows } = picture;
  if ((size.height - TOP_PX) / (view.bottom - view.top) < NAMED_ROW_PX) return;
  context.save();
  context.beginPath();
  context.rect(size.gutter, TOP_PX, size.width, size.height);
  context.clip();
  for (let row = Math.floor(view.top); row < Math.min(rows.rows.length, view.bottom); row += 1) {
    const { job, rowPx, top, left, right } = boxOf(row, picture, surface);
    if (job === undefined || right < size.gutter || left > size.width) continue;
    const name = job.sample ?? job.id;
    const width = context.measureText(name).width;
    const fits = right + 6 + width <= size.width;
    const x = fits ? Math.max(right, size.gutter) + 6 : Math.max(size.gutter + 4, left - 6 - width);
    // A bar leaves a sixth of its row free below it.
    const height = Math.floor(Math.min(LABEL_PX, rowPx - 1));
    paintLabel(context, { text: name, x, y: top + (rowPx * 5) / 12, width, height }, surface);
  }
  context.restore();
}

interface Label {
  readonly text: string;
  readonly x: number;
  /** The middle of the text. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Text without a bar, a pattern or a line of the grid behind it. */
function paintLabel(context: CanvasRenderingContext2D, label: Label, { color }: Surface): void {
  const { text, x, y, width, height } = label;
  context.fillStyle = cssColor(color("surface"));
  context.fillRect(Math.floor(x) - 3, Math.floor(y - height / 2), Math.ceil(width) + 6, height);
  context.fillStyle = cssColor(color("ink"));
  context.fillText(text, x, y);
}

/** The rows of a step, in pixels of the canvas. */
interface Band {
  readonly name: string;
  readonly count: number;
  readonly top: number;
  readonly bottom: number;
}

/** Names of steps in the gutter, each with the number of its jobs if there is space. */
function paintNames(context: CanvasRenderingContext2D, picture: Picture, surface: Surface): void {
  const { size, color } = surface;
  const bands = bandsOf(context, picture, surface);
  context.save();
  context.beginPath();
  context.rect(0, TOP_PX, size.gutter - 6, size.height);
  context.clip();
  context.fillStyle = cssColor(color("line"));
  for (const { top } of bands) context.fillRect(0, Math.round(top), size.width, 1);
  // The name of a low band must not take the place of the name of the high band below it.
  const isHigh = ({ top, bottom }: Band) => bottom - top >= LABEL_PX;
  const texts: PixelSpan[] = [];
  for (const band of [...bands.filter(isHigh), ...bands.filter((band) => !isHigh(band))])
    texts.push(...paintName(context, band, { texts, surface }));
  context.restore();
}

/** The steps that are in view. */
function bandsOf(context: CanvasRenderingContext2D, { rows, view }: Picture, { size }: Surface): readonly Band[] {
  const rowPx = (size.height - TOP_PX) / (view.bottom - view.top);
  const yOf = (row: number): number => TOP_PX + (row - view.top) * rowPx;
  const names = rows.steps.map(({ step }) => (step === "" ? "the tool" : step));
  const isShort = names.some((name) => context.measureText(name).width > size.gutter - 16);
  return rows.steps
    .map(({ first, count }, at) => {
      const name = names[at] ?? "";
      return { name: isShort ? lastPart(name) : name, count, top: yOf(first), bottom: yOf(first + count) };
    })
    .filter(({ top, bottom }) => bottom >= TOP_PX && top <= size.height);
}

interface PixelSpan {
  readonly from: number;
  readonly to: number;
}

interface NameOptions {
  /** The heights that other names use. */
  readonly texts: readonly PixelSpan[];
  readonly surface: Surface;
}

/** Returns the height that the name uses: none if it would overlap another one. */
function paintName(
  context: CanvasRenderingContext2D,
  { name, count, bottom, ...band }: Band,
  { texts, surface: { color } }: NameOptions,
): readonly PixelSpan[] {
  const top = Math.max(band.top, TOP_PX);
  const y = top + Math.min(bottom - top, LABEL_PX + 8) / 2;
  const [from, end] = [y - LABEL_PX / 2, y + LABEL_PX / 2];
  if (from < TOP_PX || texts.some((text) => from < text.to && end > text.from)) return [];
  context.fillStyle = cssColor(color("ink"));
  context.fillText(name, 8, y);
  if (bottom < end + LABEL_PX + 4) return [{ from, to: end }];
  context.fillStyle = cssColor(color("soft"));
  context.fillText(countText(count, "job"), 8, y + LABEL_PX + 3);
  return [{ from, to: end + LABEL_PX + 3 }];
}

/** Nested steps by the last part of their path. */
function lastPart(step: string): string {
  const at = step.lastIndexOf("/");
  return at < 0 ? step : `…${step.slice(at)}`;
}

/** Concurrent jobs and their memory per pixel: the mean over the time of the pixel. */
interface RunningCurves {
  readonly jobs: Float64Array;
  /** Peak memory of the running jobs, or requested memory if it was not measured. */
  readonly bytes: Float64Array;
  readonly mostJobs: number;
  readonly mostBytes: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Cost: one step per job and pixel. A job adds at its start and subtracts at its end. */
export function runningCurves(jobs: readonly JobTimes[], span: Span, width: number, nowMs: number): RunningCurves {
  const count = new Float64Array(width + 2);
  const bytes = new Float64Array(width + 2);
  const scale = width / Math.max(1, span.toMs - span.fromMs);
  for (const { startedMs, endedMs, rssBytes, ramBytes } of jobs) {
    if (startedMs === undefined) continue;
    const from = clamp((startedMs - span.fromMs) * scale, width);
    const to = clamp(((endedMs ?? Math.max(nowMs, startedMs)) - span.fromMs) * scale, width);
    if (to <= from) continue;
    const memory = rssBytes ?? ramBytes ?? 0;
    addEdge(count, from, 1);
    addEdge(count, to, -1);
    addEdge(bytes, from, memory);
    addEdge(bytes, to, -memory);
  }
  const [jobsAt, bytesAt] = [summed(count, width), summed(bytes, width)];
  return { jobs: jobsAt, bytes: bytesAt, mostJobs: mostOf(jobsAt), mostBytes: mostOf(bytesAt) };
}

/** A change within a pixel counts partially for that pixel. */
function addEdge(edges: Float64Array, at: number, value: number): void {
  const pixel = Math.floor(at);
  const late = at - pixel;
  edges[pixel] = (edges[pixel] ?? 0) + value * (1 - late);
  edges[pixel + 1] = (edges[pixel + 1] ?? 0) + value * late;
}

function summed(edges: Float64Array, width: number): Float64Array {
  const values = new Float64Array(width);
  let sum = 0;
  for (let pixel = 0; pixel < width; pixel += 1) {
    sum += edges[pixel] ?? 0;
    values[pixel] = Math.max(0, sum);
  }
  return values;
}

function mostOf(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function clamp(pixel: number, width: number): number {
  return Math.min(Math.max(0, pixel), width);
}
