import type uPlot from "uplot";
import { cssColor, readColors } from "../../../ui/read-colors.ts";
import type { Plot, PlotGroup, PlotPoint } from "./plot-points.ts";
import type { Bin } from "./statistics.ts";

interface Painted {
  readonly plot: Plot;
  /** The bars of a histogram. */
  readonly bins: readonly Bin[];
  readonly colors: PlotColors;
  /** Position of the point or bin with the focus. */
  readonly active: number | undefined;
}

const RADIUS = 3.5;

/** Colors that people with color blindness can tell apart (Okabe and Ito), darker on light pages. Groups also differ by shape. */
const LIGHT = ["#0072b2", "#b35900", "#007a5a", "#a3507f", "#5b6770", "#8a7400", "#2f7ea8", "#7a3e9d"];
const DARK = ["#56b4e9", "#f0a44b", "#3fcf9f", "#e39bc4", "#b8c2cc", "#f0e442", "#8fd0f5", "#c79be8"];

/** Paints marks into the plot, over its axes. */
export function paintPlot(chart: uPlot, painted: Painted): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  if (painted.plot.kind === "histogram") paintBins(chart, painted);
  else {
    if (painted.plot.kind === "strip")
      for (const [at, group] of painted.plot.groups.entries()) paintBox(chart, at, group, painted.colors);
    paintPoints(chart, painted);
  }
  ctx.restore();
}

function paintBins(chart: uPlot, { plot, bins, colors, active }: Painted): void {
  const { ctx } = chart;
  const summary = plot.groups[0]?.summary;
  for (const [at, { from, to, members }] of bins.entries()) {
    const [left, right] = [chart.valToPos(from, "x", true), chart.valToPos(to, "x", true)];
    const [top, bottom] = [chart.valToPos(members.length, "y", true), chart.valToPos(0, "y", true)];
    ctx.fillStyle = colors.groups[0] ?? colors.ink;
    ctx.fillRect(left + 1, top, Math.max(1, right - left - 2), bottom - top);
    const isBeyond = summary !== undefined && members.some((member) => plot.points[member]?.isOutlier === true);
    if (isBeyond) paintCross(ctx, (left + right) / 2, top - 8 * devicePixelRatio, colors.outlier);
    if (at !== active) continue;
    ctx.strokeStyle = colors.ink;
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.strokeRect(left + 1, top, Math.max(1, right - left - 2), bottom - top);
  }
}

/** Quartiles and median, and whiskers to the fences. */
function paintBox(chart: uPlot, at: number, { summary }: PlotGroup, { line, soft }: PlotColors): void {
  const { ctx } = chart;
  const x = (value: number) => chart.valToPos(value, "x", true);
  const y = (value: number) => chart.valToPos(value, "y", true);
  const { q1, q3, median, fences, min, max } = summary;
  const [low, high] = [Math.max(min, fences[0]), Math.min(max, fences[1])];
  ctx.fillStyle = line;
  ctx.fillRect(x(at - 0.32), y(q3), x(at + 0.32) - x(at - 0.32), y(q1) - y(q3));
  ctx.strokeStyle = soft;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (const [from, to] of [
    [q3, high],
    [q1, low],
  ] as const) {
    ctx.moveTo(x(at), y(from));
    ctx.lineTo(x(at), y(to));
  }
  ctx.stroke();
  ctx.lineWidth = 2.5 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x(at - 0.32), y(median));
  ctx.lineTo(x(at + 0.32), y(median));
  ctx.stroke();
}

function paintPoints(chart: uPlot, { plot, colors, active }: Painted): void {
  const { ctx } = chart;
  const place = ({ x, y }: PlotPoint) => [chart.valToPos(x, "x", true), chart.valToPos(y, "y", true)] as const;
  const size = RADIUS * devicePixelRatio;
  for (const at of plot.groups.keys()) {
    ctx.fillStyle = colors.groups[at % colors.groups.length] ?? colors.ink;
    ctx.globalAlpha = plot.points.length > 1000 ? 0.55 : 0.85;
    ctx.beginPath();
    for (const point of plot.points) if (point.group === at) traceMark(ctx, place(point), { shape: at, size });
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colors.outlier;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  for (const point of plot.points) {
    if (!point.isOutlier) continue;
    const [x, y] = place(point);
    ctx.moveTo(x + size * 1.9, y);
    ctx.arc(x, y, size * 1.9, 0, 2 * Math.PI);
  }
  ctx.stroke();
  const focused = active === undefined ? undefined : plot.points[active];
  if (focused === undefined) return;
  const [x, y] = place(focused);
  ctx.strokeStyle = colors.ink;
  ctx.lineWidth = 2.5 * devicePixelRatio;
  ctx.beginPath();
  ctx.arc(x, y, size * 2.6, 0, 2 * Math.PI);
  ctx.stroke();
}

/** Circle, square, triangle, diamond, then again. */
function traceMark(
  path: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  { shape, size }: { readonly shape: number; readonly size: number },
): void {
  const corners = [
    [],
    [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
    [0, -1.2, 1.1, 0.9, -1.1, 0.9],
    [0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0],
  ][shape % 4];
  if (corners === undefined || corners.length === 0) {
    path.moveTo(x + size, y);
    path.arc(x, y, size, 0, 2 * Math.PI);
    return;
  }
  for (let at = 0; at < corners.length; at += 2) {
    const [dx = 0, dy = 0] = corners.slice(at, at + 2);
    if (at === 0) path.moveTo(x + dx * size, y + dy * size);
    else path.lineTo(x + dx * size, y + dy * size);
  }
  path.closePath();
}

function paintCross(ctx: CanvasRenderingContext2D, x: number, y: number, color: string): void {
  const arm = 3.5 * devicePixelRatio;
  ctx.strokeStyle = color;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x - arm, y - arm);
  ctx.lineTo(x + arm, y + arm);
  ctx.moveTo(x + arm, y - arm);
  ctx.lineTo(x - arm, y + arm);
  ctx.stroke();
}

export interface PlotColors {
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly outlier: string;
  readonly groups: readonly string[];
}

export function plotColors(near: HTMLElement): PlotColors {
  const read = readColors(near, ["ink", "soft", "line", "surface", "failed"]);
  const [red, green, blue] = read("surface");
  return {
    ink: cssColor(read("ink")),
    soft: cssColor(read("soft")),
    line: cssColor(read("line")),
    surface: cssColor(read("surface")),
    outlier: cssColor(read("failed")),
    groups: red + green + blue > 384 ? LIGHT : DARK,
  };
}
