// Horizontal bars: names stay readable however many subjects there are. Lengths are in the units of the viewBox.

import { describe } from "./statistics.mjs";
import { escaped, shown } from "./text.mjs";

const WIDTH = 960;
const LABEL_WIDTH = 170;
const VALUE_WIDTH = 90;
const PLOT_WIDTH = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
const TOP = 28;
const ROW = 34;
const BAR = 20;
const LABEL_LETTERS = 18;
const TICKS_ABOUT = 5;

/** An SVG with one bar per subject for its volume in ml, and the median as a dashed line. */
export function barChart(subjects) {
  const volumes = describe(subjects.map((one) => one.volume_ml));
  const step = tickStep(volumes.max);
  const most = Math.max(step, Math.ceil(volumes.max / step) * step);
  const scale = (volume) => LABEL_WIDTH + (volume / most) * PLOT_WIDTH;
  const height = TOP + ROW * subjects.length + 30;
  const parts = [
    grid({ step, most, scale, height }),
    ...subjects.map((one, row) => bar(one, row, scale)),
    medianLine(volumes.median, scale, height),
  ];
  return `<div class="wide" role="region" aria-label="Volume by subject" tabindex="0">
<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="chart-title chart-text">
<title id="chart-title">Volume by subject, in ml</title>
<desc id="chart-text">${subjects.map((one) => `${escaped(one.subject)}: ${shown(one.volume_ml, 1)} ml`).join("; ")}; median ${shown(volumes.median, 1)} ml</desc>
${parts.join("\n")}
</svg>
</div>`;
}

// 1, 2 or 5 times a power of ten.
function tickStep(most) {
  if (!(most > 0)) return 1;
  const rough = most / TICKS_ABOUT;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
}

function grid({ step, most, scale, height }) {
  const bottom = height - 26;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step);
  const lines = ticks.map((tick) => {
    const x = place(scale(tick));
    return `<line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/><text class="tick" x="${x}" y="${bottom + 18}">${tick.toFixed(digits)}</text>`;
  });
  return `${lines.join("\n")}\n<text class="tick" x="${WIDTH}" y="${bottom + 18}" text-anchor="end">ml</text>`;
}

function bar({ subject, volume_ml: volume }, row, scale) {
  const top = TOP + row * ROW + (ROW - BAR) / 2;
  const baseline = top + BAR / 2 + 5;
  const length = Math.max(1, scale(volume) - LABEL_WIDTH);
  return `<g><title>${escaped(subject)}: ${shown(volume, 3)} ml</title>
<text class="name" x="${LABEL_WIDTH - 12}" y="${baseline}">${escaped(shortened(subject))}</text>
<rect class="bar" x="${LABEL_WIDTH}" y="${top}" width="${place(length)}" height="${BAR}" rx="3"/>
<text class="value" x="${place(LABEL_WIDTH + length + 8)}" y="${baseline}">${shown(volume, 1)}</text></g>`;
}

function medianLine(median, scale, height) {
  const x = place(scale(median));
  return `<line class="median" x1="${x}" x2="${x}" y1="${TOP - 4}" y2="${height - 26}"/><text class="median-name" x="${x}" y="${TOP - 10}">median ${shown(median, 1)}</text>`;
}

function shortened(name) {
  const letters = [...name];
  return letters.length <= LABEL_LETTERS ? name : `${letters.slice(0, LABEL_LETTERS - 1).join("")}…`;
}

function place(number) {
  return Number(number.toFixed(2));
}
