import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frames, measuredPage, MOVES, openUntil } from "./frames.mjs";
import { routeSyntheticResults } from "./synthetic-results.ts";
import { routeSyntheticRun } from "./synthetic-run.ts";
import { routeSyntheticTable } from "./synthetic-table.ts";
import { heading, row } from "./report.mjs";

const SUBJECTS = 5_000;
const PICTURES = ["T1w", "T2w", "FLAIR", "PDw"];
const TIMES = 5;

/** A cohort of 5,000 subjects: a query of its dataset, its table and plots, and the review of its pictures. */
export async function measureCohort(browser, url) {
  heading(`Cohort of ${SUBJECTS} subjects, ${SUBJECTS * (PICTURES.length + 1)} files`);
  await measureQuery(url);
  const { page, session } = await measuredPage(browser);
  await routeSyntheticRun(page, { jobs: 1, samples: ["sub-0"] });
  await routeSyntheticResults(page, SUBJECTS);
  await routeSyntheticTable(page, SUBJECTS);
  await measureTable({ page, session }, url);
  await measurePlots(page, url);
  await measureReview({ page, session }, url);
  await page.close();
}

/** A BIDS dataset of empty images, as a data folder of the server. */
export async function writeCohortDataset() {
  const folder = await mkdtemp(join(tmpdir(), "weft-bench-study-"));
  const names = Array.from({ length: SUBJECTS }, (_, n) => `sub-${String(n).padStart(4, "0")}`);
  await writeFile(join(folder, "dataset_description.json"), '{"Name": "Bench", "BIDSVersion": "1.10.0"}');
  const rows = names.map((name, n) => `${name}\t${20 + (n % 70)}\t${n % 2 === 0 ? "case" : "control"}`);
  await writeFile(join(folder, "participants.tsv"), `participant_id\tage\tgroup\n${rows.join("\n")}\n`);
  for (const name of names) {
    const anat = join(folder, name, "ses-1/anat");
    await mkdir(anat, { recursive: true });
    const files = [...PICTURES.map((suffix) => `${suffix}.nii.gz`), "T1w.json"];
    await Promise.all(files.map((file) => writeFile(join(anat, `${name}_ses-1_${file}`), "{}")));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

async function measureQuery(url) {
  const query = {
    location: "weft-data://study/",
    where: [{ field: "age", op: ">", values: ["19"] }],
    per: ["sub"],
    columns: PICTURES.map((suffix) => ({
      kind: "file",
      name: suffix,
      where: [{ field: "suffix", op: "=", values: [suffix] }],
      secondary: suffix === "T1w" ? [".json"] : [],
    })),
  };
  const times = [];
  for (let n = 0; n < TIMES; n += 1) {
    const start = performance.now();
    const answer = await fetch(`${url}/api/datasets/query`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(query) },
    });
    const { samples, detail } = await answer.json();
    times.push(performance.now() - start);
    if (samples?.length !== SUBJECTS) throw new Error(`the query found ${samples?.length} samples: ${detail ?? ""}`);
  }
  row("query, first time", times[0], { unit: "ms" });
  row("query, median", medianOf(times), {
    unit: "ms",
    bar: 2000,
    criterion: `Query of a dataset of ${SUBJECTS} subjects`,
  });
}

async function measureTable({ page, session }, url) {
  const grid = page.getByRole("grid", { name: "Samples" });
  const first = grid.getByRole("rowheader", { name: "sub-0", exact: true });
  row("from navigation to the table", await openUntil(page, `${url}/run/bench?tab=table`, first), { unit: "ms" });
  await grid.hover();
  await frames({ page, session }, "table, scroll", wheel(page, 360), {
    cpuMs: 16,
    criterion: `Frames per second, table of ${SUBJECTS} samples`,
  });
}

/** From the choice of a measure until the page has painted the plot. */
async function measurePlots(page, url) {
  const measure = page.getByRole("combobox", { name: "Measure" });
  const plots = { "": "distribution", "dataset.group": "box plots by group" };
  for (const [by, label] of Object.entries(plots)) {
    await openUntil(page, `${url}/run/bench?tab=table&show=plots&by-field=${by}`, page.locator("canvas").first());
    row(`plot: ${label}`, await changes(measure), { unit: "ms", bar: 300, criterion: criterionOf(label) });
  }
  const against = `${url}/run/bench?tab=table&show=plots&by-field=dataset.group&y=dataset.age`;
  await openUntil(page, against, page.locator("canvas").first());
  row("plot: scatter", await changes(measure), { unit: "ms", bar: 300, criterion: criterionOf("scatter") });
}

const criterionOf = (label) => `Plot of ${SUBJECTS} samples, ${label}`;

/** Median of several changes of the measure. */
async function changes(measure) {
  const times = [];
  for (let n = 0; n < TIMES; n += 1) {
    const wanted = n % 2 === 0 ? "output.measures/thickness" : "output.measures/volume_ml";
    times.push(
      await measure.evaluate(async (element, value) => {
        const old = document.querySelector("canvas");
        const start = performance.now();
        Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(element, value);
        element.dispatchEvent(new Event("change", { bubbles: true }));
        const frame = () => new Promise((resolve) => void requestAnimationFrame(() => setTimeout(resolve)));
        do await frame();
        while ((document.querySelector("canvas") ?? old) === old);
        return performance.now() - start;
      }, wanted),
    );
  }
  return medianOf(times);
}

async function measureReview({ page, session }, url) {
  const grid = page.getByRole("grid", { name: /review|samples/i });
  row("from navigation to the pictures", await openUntil(page, `${url}/run/bench?tab=review`, grid), { unit: "ms" });
  await grid.hover();
  await frames({ page, session }, "review, scroll", wheel(page, 240), {
    cpuMs: 14,
    criterion: `Frames per second, review of ${SUBJECTS} pictures`,
  });
}

/** Down and up again. */
function wheel(page, step) {
  return (move) => move((n) => page.mouse.wheel(0, n < MOVES / 2 ? step : -step));
}

function medianOf(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
