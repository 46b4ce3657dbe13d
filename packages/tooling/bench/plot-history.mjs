const [WIDTH, HEIGHT] = [860, 400];
const AREA = { left: 52, right: 190, top: 30, bottom: 56 };
const COLORS = ["#6e7781", "#9a6700", "#cf222e", "#1a7f37", "#0969da", "#8250df"];
/** Shapes around 0,0 distinguish the lines without colors. */
const MARKS = [
  '<circle r="4"/>',
  '<rect x="-4" y="-4" width="8" height="8"/>',
  '<path d="M0-5 5 4H-5Z"/>',
  '<path d="M0-5 5 0 0 5-5 0Z"/>',
  '<path d="M0 5 5-4H-5Z"/>',
  '<path d="M-4-4 4 4M4-4-4 4" stroke-width="2"/>',
];
const TICKS = [0.5, 1, 2, 5, 10, 20, 50, 100];

/** An SVG of the ratios to ninja over the entries of the history, on a logarithmic scale. */
export function plotHistory({ titles, entries }) {
  const all = entries.flatMap(({ ratios }) => Object.values(ratios));
  const [low, high] = [Math.min(0.8, ...all), Math.max(10, ...all) * 1.15];
  const place = {
    x: (index) => AREA.left + (inner(WIDTH, "left", "right") * (index + 0.5)) / Math.max(1, entries.length),
    y: (ratio) =>
      HEIGHT - AREA.bottom - (inner(HEIGHT, "top", "bottom") * Math.log(ratio / low)) / Math.log(high / low),
  };
  const ticks = TICKS.filter((tick) => tick >= low && tick <= high);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">
<title>Wall time per trivial job as a multiple of ninja's</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${AREA.left}" y="18" fill="#1f2328">Wall time per trivial job, as a multiple of ninja's (logarithmic)</text>
${ticks.map((tick) => tickOf(tick, place)).join("\n")}
${entries.map((entry, index) => labelOf(entry, place.x(index))).join("\n")}
${titles.map((title, index) => lineOf({ title, index, entries, place })).join("\n")}
${legendOf(titles, entries, place)}
</svg>
`;
}

function inner(size, before, after) {
  return size - AREA[before] - AREA[after];
}

function tickOf(tick, { y }) {
  const at = round(y(tick));
  return `<path d="M${AREA.left} ${at}H${WIDTH - AREA.right}" stroke="#d1d9e0"/><text x="${AREA.left - 8}" y="${at + 4}" text-anchor="end" fill="#59636e">${tick}</text>`;
}

function labelOf({ date, commit }, x) {
  const at = round(x);
  const y = HEIGHT - AREA.bottom;
  return `<text x="${at}" y="${y + 20}" text-anchor="middle" fill="#59636e">${escape(date.slice(2))}</text><text x="${at}" y="${y + 36}" text-anchor="middle" fill="#59636e" font-size="10">${escape(commit)}</text>`;
}

function lineOf({ title, index, entries, place }) {
  const points = entries
    .map(({ ratios }, entry) => [place.x(entry), ratios[title]])
    .filter(([, ratio]) => ratio !== undefined)
    .map(([x, ratio]) => [round(x), round(place.y(ratio))]);
  const marks = points.map(([x, y]) => `<g transform="translate(${x} ${y})">${MARKS[index % MARKS.length]}</g>`);
  const color = COLORS[index % COLORS.length];
  return `<g fill="${color}" stroke="${color}"><polyline fill="none" points="${points.join(" ")}"/>${marks.join("")}</g>`;
}

/** Each name next to the last point of its line; names that would overlap move down. */
function legendOf(titles, entries, place) {
  const labels = titles
    .map((title, index) => ({
      title,
      index,
      y: place.y(entries.findLast(({ ratios }) => title in ratios)?.ratios[title]),
    }))
    .filter(({ y }) => y > 0)
    .toSorted((a, b) => a.y - b.y);
  let minY = AREA.top;
  return labels
    .map(({ title, index, y }) => {
      const at = round(Math.max(y, minY));
      minY = at + 16;
      const x = WIDTH - AREA.right + 14;
      const color = COLORS[index % COLORS.length];
      return `<g fill="${color}" stroke="${color}" transform="translate(${x} ${at})">${MARKS[index % MARKS.length]}</g><text x="${x + 12}" y="${at + 4}" fill="#1f2328">${escape(title)}</text>`;
    })
    .join("\n");
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escape(text) {
  return text.replace(/[&<>"]/gu, (char) => `&#${char.charCodeAt(0)};`);
}
