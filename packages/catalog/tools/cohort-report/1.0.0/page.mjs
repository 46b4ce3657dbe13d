// The page as text. Names of subjects and the title come from outside: every one passes through `escaped`,
// and <bdi> keeps a name's writing direction from turning the text around it.

import { barChart } from "./bar-chart.mjs";
import { MEASURES } from "./measures.mjs";
import { describe } from "./statistics.mjs";
import { escaped, shown } from "./text.mjs";

const COLUMNS = MEASURES.filter(({ column }) => column !== "volume_mm3");
const STATISTICS = [
  ["n", "n"],
  ["mean", "Mean"],
  ["sd", "SD"],
  ["min", "Least"],
  ["median", "Median"],
  ["max", "Greatest"],
];
const METHODS = {
  otsu: "the threshold was found by Otsu’s method",
  mean: "the threshold was the mean of the image",
  fixed: "the threshold was given",
};
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** The whole page; `pictures` are data addresses in the order of the subjects, or empty. */
export function cohortPage({ subjects, pictures, title, fwhmMm, method, style }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>
${style}</style>
</head>
<body>
<main>
<header>
<h1>${escaped(title)}</h1>
<p class="lead">Volume, shape and intensity of the segmented region in ${subjects.length === 1 ? "one subject" : `${subjects.length} subjects`}.</p>
</header>
${keyFigures(subjects)}
${section("volumes", "Volume by subject", barChart(subjects))}
${pictures.length === 0 ? "" : section("slices", "Slices", gallery(subjects, pictures))}
${section("measures", "Measures", tableOfSubjects(subjects))}
${section("statistics", "The cohort", tableOfStatistics(subjects))}
${section("method", "How this was made", methodText({ subjects, fwhmMm, method }))}
</main>
</body>
</html>
`;
}

function section(id, heading, body) {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${heading}</h2>\n${body}\n</section>`;
}

function keyFigures(subjects) {
  const volumes = describe(subjects.map((one) => one.volume_ml));
  const components = subjects.reduce((sum, one) => sum + one.components, 0);
  const figures = [
    ["Subjects", String(subjects.length), ""],
    ["Median volume", shown(volumes.median, 1), "ml"],
    ["Range of volumes", `${shown(volumes.min, 1)} – ${shown(volumes.max, 1)}`, "ml"],
    ["Components in all", String(components), ""],
  ];
  const items = figures.map(
    ([name, value, unit]) =>
      `<div><dt>${name}</dt><dd>${value}${unit && ` <span class="unit">${unit}</span>`}</dd></div>`,
  );
  return `<dl class="figures">\n${items.join("\n")}\n</dl>`;
}

function gallery(subjects, pictures) {
  const figures = subjects.map(
    ({ subject, volume_ml: volume, components }, index) => `<figure>
<img src="${pictures[index]}" alt="Axial, coronal and sagittal slice of ${escaped(subject)}, the measured region outlined">
<figcaption><strong><bdi>${escaped(subject)}</bdi></strong> <span>${shown(volume, 1)} ml, ${components} ${components === 1 ? "component" : "components"}</span></figcaption>
</figure>`,
  );
  return `<p>Axial, coronal and sagittal slices through the centre of the largest component; the measured region is outlined.
Left is left, the front is up in the axial slice and right in the sagittal one.</p>
<div class="gallery">\n${figures.join("\n")}\n</div>`;
}

function tableOfSubjects(subjects) {
  const rows = subjects.map((one) => [
    `<th scope="row"><bdi>${escaped(one.subject)}</bdi></th>`,
    ...COLUMNS.map(({ of, digits }) => `<td>${shown(of(one), Math.min(2, digits))}</td>`),
  ]);
  return table(
    "Measures of every subject",
    ['<th scope="col">Subject</th>', ...COLUMNS.map((measure) => `<th scope="col">${heading(measure)}</th>`)],
    rows,
  );
}

function tableOfStatistics(subjects) {
  const rows = COLUMNS.map((measure) => {
    const figures = describe(subjects.map(measure.of).filter((number) => number !== null));
    const cells = STATISTICS.map(([name]) => `<td>${shown(figures[name], name === "n" ? 0 : 2)}</td>`);
    return [`<th scope="row">${heading(measure)}</th>`, ...cells];
  });
  return table(
    "Statistics of every measure over the cohort",
    ['<th scope="col">Measure</th>', ...STATISTICS.map(([, name]) => `<th scope="col">${name}</th>`)],
    rows,
  );
}

function heading({ label, unit }) {
  const whole = label.replace(/ (?=.$)/, "&nbsp;");
  return unit === "" ? whole : `${whole} <span class="unit">${unit}</span>`;
}

// A wide table scrolls by itself; tabindex lets the keyboard scroll it.
function table(caption, head, rows) {
  const body = rows.map((cells) => `<tr>${cells.join("")}</tr>`).join("\n");
  return `<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${body}
</tbody>
</table>
</div>`;
}

function methodText({ subjects, fwhmMm, method }) {
  const connectivities = [...new Set(subjects.map((one) => one.connectivity))].join(" and ");
  const steps = [
    fwhmMm === undefined ? "" : `Each image was smoothed by a Gaussian of ${fwhmMm} mm full width at half maximum.`,
    METHODS[method] === undefined
      ? ""
      : `A voxel belongs to the region where the value is at least the threshold; ${METHODS[method]}.`,
    `Components were counted with ${escaped(connectivities)}-connectivity. Centroids are in the space of the image’s header, x to the right, y to the front, z upwards.`,
    "Intensities are those of the original image inside the region. SD is the sample’s standard deviation.",
  ];
  return `<p>${steps.filter((step) => step !== "").join(" ")}</p>`;
}
