import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { countText } from "@weft/shared/text/count-text.ts";
import { measureText } from "../../../format/measure-text.ts";
import { onThemeChange } from "../../../ui/read-colors.ts";
import { useWidth } from "../../../ui/use-layout.ts";
import { paintPlot, plotColors, type PlotColors } from "./paint-plot.ts";
import type { Plot } from "./plot-points.ts";
import { type Bin, binNumbers } from "./statistics.ts";

interface PlotFigureProps {
  readonly plot: Plot;
  readonly title: string;
  readonly onOpen: (sample: string) => void;
  /** A bar of a histogram. */
  readonly onOpenBin: (bin: { readonly text: string; readonly samples: readonly string[] }) => void;
}

const HEIGHT = 380;
/** The maximum distance between a click and the point that it opens. */
const REACH_PX = 14;

/** A plot on a canvas. Arrow keys move through its points or bars; Enter or a click opens one. */
export function PlotFigure(props: PlotFigureProps) {
  const { plot, title } = props;
  const box = useRef<HTMLDivElement>(null);
  const bins = useMemo(() => (plot.kind === "histogram" ? binNumbers(plot.points.map(({ x }) => x)) : []), [plot]);
  const { active, events } = useMarks(props, box, bins);
  return (
    <figure className="card min-w-0 p-3">
      <figcaption className="mb-2 font-semibold wrap-anywhere">{title}</figcaption>
      <div
        ref={box}
        role="application"
        aria-label={`Plot: ${title}`}
        aria-describedby="plot-help"
        tabIndex={0}
        className="min-w-0 rounded outline-offset-2"
        style={{ height: HEIGHT, cursor: active === undefined ? "default" : "pointer" }}
        {...events}
      />
      <p role="status" className="mt-1 min-h-6 tabular-nums">
        {active === undefined ? "" : activeText(plot, bins, active)}
      </p>
      <p id="plot-help" className="text-soft">
        {plot.kind === "histogram" ? "Select a bar to list its samples" : "Select a point to open its sample"}: click,
        or use the arrow keys and Enter.
      </p>
    </figure>
  );
}

type BoxRef = RefObject<HTMLDivElement | null>;

/** The point or bar that is hovered or focused, and the handlers that open it. */
function useMarks({ plot, onOpen, onOpenBin }: PlotFigureProps, box: BoxRef, bins: readonly Bin[]) {
  const [place, setPlace] = useState<number | undefined>(undefined);
  const count = plot.kind === "histogram" ? bins.length : plot.points.length;
  const active = place !== undefined && place < count ? place : undefined;
  const chart = useChart(box, { plot, bins, active });
  const open = (at: number | undefined): void => {
    if (at === undefined) return;
    const bin = bins[at];
    if (plot.kind !== "histogram") onOpen(plot.points[at]?.sample ?? "");
    else if (bin !== undefined)
      onOpenBin({ text: binText(bin), samples: bin.members.map((member) => plot.points[member]?.sample ?? "") });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" || event.key === " ") open(active);
    else {
      const next = movedTo(event.key, active, count);
      if (next === undefined) return;
      setPlace(next);
    }
    event.preventDefault();
  };
  const under = (event: Pointed) =>
    chart.current === undefined ? undefined : placeUnder(chart.current, event, { plot, bins });
  const events = {
    onKeyDown,
    onPointerMove: (event: Pointed) => setPlace(under(event)),
    onPointerLeave: () => setPlace(undefined),
    onClick: (event: Pointed) => open(under(event)),
  };
  return { active, events };
}

interface Pointed {
  readonly clientX: number;
  readonly clientY: number;
}

interface Charted {
  readonly plot: Plot;
  readonly bins: readonly Bin[];
  readonly active: number | undefined;
}

/** The drawing, replaced for another plot or width. */
function useChart(box: BoxRef, { plot, bins, active }: Charted) {
  const width = useWidth(box);
  const chart = useRef<uPlot>(undefined);
  const shown = useRef(active);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || width === 0) return;
    let colors = plotColors(element);
    const onDraw = (drawn: uPlot) => paintPlot(drawn, { plot, bins, colors, active: shown.current });
    const size = { width, height: HEIGHT };
    const options = plotOptions(plot, { bins, size, colors: () => colors, onDraw });
    const drawn = new uPlot(options, plotData(plot, bins), element);
    chart.current = drawn;
    const forget = onThemeChange(() => {
      colors = plotColors(element);
      drawn.redraw(false, true);
    });
    return () => {
      forget();
      chart.current = undefined;
      drawn.destroy();
    };
  }, [box, plot, bins, width]);
  useEffect(() => {
    if (shown.current === active) return;
    shown.current = active;
    chart.current?.redraw(false);
  }, [active]);
  return chart;
}

function movedTo(key: string, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return at === undefined ? 0 : Math.min(count - 1, at + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return at === undefined ? count - 1 : Math.max(0, at - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

function placeUnder(
  chart: uPlot,
  { clientX, clientY }: Pointed,
  { plot, bins }: Omit<Charted, "active">,
): number | undefined {
  const { left, top } = chart.over.getBoundingClientRect();
  const [x, y] = [clientX - left, clientY - top];
  if (plot.kind === "histogram") {
    const value = chart.posToVal(x, "x");
    const found = bins.findIndex(({ from, to }) => value >= from && value < to);
    return found < 0 ? undefined : found;
  }
  let best: number | undefined;
  let least = REACH_PX;
  for (const [at, point] of plot.points.entries()) {
    const distance = Math.hypot(chart.valToPos(point.x, "x") - x, chart.valToPos(point.y, "y") - y);
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}

function binText({ from, to }: Bin): string {
  const edge = (value: number) => measureText(value, 10);
  return `${edge(from)} to ${edge(to)}`;
}

function activeText({ kind, points, groups, xLabel, yLabel }: Plot, bins: readonly Bin[], at: number): string {
  const bin = bins[at];
  if (kind === "histogram") {
    if (bin === undefined) return "";
    const outliers = bin.members.filter((member) => points[member]?.isOutlier === true).length;
    const note = outliers === 0 ? "" : `, ${countText(outliers, "outlier")}`;
    return `${xLabel} ${binText(bin)}: ${countText(bin.members.length, "sample")}${note}`;
  }
  const point = points[at];
  if (point === undefined) return "";
  const group = groups[point.group]?.name ?? "";
  const values =
    kind === "strip"
      ? `${yLabel} ${measureText(point.y)}`
      : `${xLabel} ${measureText(point.x)}, ${yLabel} ${measureText(point.y)}`;
  return [`${point.sample}: ${values}`, group, point.isOutlier ? "outlier" : ""]
    .filter((part) => part !== "")
    .join(", ");
}

interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Steps of an axis of counts. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

type Range = readonly [number, number];

/** The data as uPlot takes it: uPlot draws axes; the marks are our own (paint-plot.ts). */
function plotData({ kind, points }: Plot, bins: readonly Bin[]): uPlot.AlignedData {
  if (kind === "histogram") return [bins.map(({ from }) => from), bins.map(({ members }) => members.length)];
  const sorted = points.toSorted((a, b) => a.x - b.x);
  return [sorted.map(({ x }) => x), sorted.map(({ y }) => y)];
}

function plotOptions(plot: Plot, { bins, size, colors, onDraw }: PlotParts): uPlot.Options {
  const { xRange, yRange } = rangesOf(plot, bins);
  const axis = {
    stroke: () => colors().soft,
    grid: { stroke: () => colors().line, width: 1 },
    ticks: { stroke: () => colors().line, width: 1 },
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
  readonly colors: () => PlotColors;
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
