import type uPlot from "uplot";
import { measureText } from "../../../format/count-text.ts";
import type { PlotColours } from "./paint-plot.ts";
import type { Plot } from "./plot-points.ts";
import type { Bin } from "./statistics.ts";

interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Steps of an axis of counts. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

type Range = readonly [number, number];

/** The data as uPlot takes it: uPlot draws axes; the marks are our own (paint-plot.ts). */
export function plotData({ kind, points }: Plot, bins: readonly Bin[]): uPlot.AlignedData {
  if (kind === "histogram") return [bins.map(({ from }) => from), bins.map(({ members }) => members.length)];
  const sorted = points.toSorted((a, b) => a.x - b.x);
  return [sorted.map(({ x }) => x), sorted.map(({ y }) => y)];
}

export function plotOptions(plot: Plot, { bins, size, colours, onDraw }: PlotParts): uPlot.Options {
  const { xRange, yRange } = rangesOf(plot, bins);
  const axis = {
    stroke: () => colours().soft,
    grid: { stroke: () => colours().line, width: 1 },
    ticks: { stroke: () => colours().line, width: 1 },
    font: "12px system-ui, sans-serif",
    labelFont: "600 12px system-ui, sans-serif",
    labelSize: 18,
    labelGap: 2,
  };
  const values = (_: uPlot, ticks: number[]) => ticks.map((tick) => measureText(tick, 12));
  return {
    ...size,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: () => [...xRange] }, y: { range: () => [...yRange] } },
    axes: [
      plot.kind === "strip" ? { ...axis, ...groupAxis(plot) } : { ...axis, label: plot.xLabel, values, space: 64 },
      { ...axis, label: plot.yLabel, size: 62, values, ...(plot.kind === "histogram" ? { incrs: WHOLE_STEPS } : {}) },
    ],
    series: [{}, { points: { show: false }, paths: () => null }],
    hooks: { draw: [onDraw] },
  };
}

interface PlotParts {
  readonly bins: readonly Bin[];
  readonly size: PlotSize;
  readonly colours: () => PlotColours;
  readonly onDraw: (chart: uPlot) => void;
}

function groupAxis({ groups }: Plot): uPlot.Axis {
  const most = Math.max(8, Math.floor(72 / Math.max(1, groups.length)));
  return {
    splits: () => groups.map((_, at) => at),
    values: (_, ticks) =>
      ticks.map((tick) => {
        const name = groups[tick]?.name ?? "";
        return name.length > most ? `${name.slice(0, most - 1)}…` : name;
      }),
    grid: { show: false },
  };
}

function rangesOf(
  { kind, points, groups }: Plot,
  bins: readonly Bin[],
): { readonly xRange: Range; readonly yRange: Range } {
  if (kind === "histogram") {
    const most = bins.reduce((max, { members }) => Math.max(max, members.length), 1);
    return { xRange: [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1], yRange: [0, most * 1.12] };
  }
  const yRange = padded(points.map(({ y }) => y));
  return { xRange: kind === "strip" ? [-0.6, groups.length - 0.4] : padded(points.map(({ x }) => x)), yRange };
}

/** Wider than the values, so that marks at the edges are whole. */
function padded(values: readonly number[]): Range {
  const min = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const max = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(min)) return [0, 1];
  const room = (max - min) * 0.06 || Math.abs(min) * 0.1 || 1;
  return [min - room, max + room];
}
