import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { makeNifti } from "../src/components/preview/nifti/testing/make-nifti.ts";
import { settledInk } from "./settled-ink.ts";
import { newStateFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";

/** Copies files, so that they are results. */
const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: cp
arguments: [{ valueFrom: ., position: 2 }]
inputs:
  files: { type: "File[]", inputBinding: { position: 1 } }
outputs:
  results: { type: "File[]", outputBinding: { glob: "*" } }
`;

const SIDE = 24;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 37>>stream
BT /F1 24 Tf 50 100 Td (Paper) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`;
/** What would happen if a script of a result ran. */
const ATTACK = "<script>parent.document.title='taken over';document.body.textContent='scripts run'</script>";

const FILES: Readonly<Record<string, Buffer>> = {
  "table.csv": Buffer.from('subject,volume\nsub-01,12.5\n"sub, two",7\n'),
  "table.tsv": Buffer.from("a\tb\n1\t2\n"),
  "values.json": Buffer.from(JSON.stringify({ mean: 3.5, list: [1, { deep: { er: "here" } }], none: null })),
  "report.html": Buffer.from(`<h1 style="color: teal">Report</h1><p>of a job</p>${ATTACK}`),
  "plot.svg": Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><rect width="200" height="80" fill="teal"/><script>parent.document.title='taken over'</script></svg>`,
  ),
  "dot.png": Buffer.from(PIXEL, "base64"),
  "notes.md": Buffer.from("# Notes\n\nplain text\n"),
  "paper.pdf": Buffer.from(PDF),
  "empty.txt": Buffer.from(""),
  "series.nii.gz": gzipSync(makeNifti(volumeOfRings())),
  "cut.nii": Buffer.from(makeNifti({ size: [4, 4, 4], values: [1, 2, 3] })),
  "not-an-image.nii": Buffer.from("x".repeat(1000)),
};

test("every kind of result is shown for what it is, and does nothing", async ({ page, ownServer, watch }) => {
  test.setTimeout(120_000);
  const server = await ownServer({ catalog: await writeCatalog() });
  const runId = await runWithFiles(page.request, server.url);
  await page.goto(`${server.url}/run/${runId}?tab=outputs`);

  const table = await preview(page, "table.csv");
  await expect(table.getByRole("columnheader", { name: "volume" })).toBeVisible();
  await expect(table.getByRole("cell", { name: "sub, two" })).toBeVisible();
  await expect((await preview(page, "table.tsv")).getByRole("cell", { name: "2" })).toBeVisible();
  const json = await preview(page, "values.json");
  await expect(json.getByText("mean: 3.5")).toBeVisible();
  await expect(json.getByText('er: "here"')).toBeHidden();
  await json.getByText("1: {1}").click();
  await json.getByText("deep: {1}").click();
  await expect(json.getByText('er: "here"')).toBeVisible();
  await json.getByRole("button", { name: "Show as text" }).click();
  await expect(json.getByText('"mean": 3.5')).toBeVisible();
  await expect((await preview(page, "notes.md")).getByText("# Notes")).toBeVisible();
  await expect((await preview(page, "empty.txt")).getByText("The file is empty.")).toBeVisible();
  await expect((await preview(page, "paper.pdf")).locator("iframe")).not.toHaveAttribute("sandbox");
  // The browser's own viewer shows it, in the gallery without its controls.
  const viewers = (of: RegExp) =>
    page.frames().filter((frame) => of.test(frame.parentFrame()?.url() ?? "") && frame.url().startsWith("chrome-ext"));
  await expect.poll(() => viewers(/paper\.pdf$/).length).toBe(1);
  await expect.poll(() => viewers(/paper\.pdf#toolbar=0/).length).toBe(1);
  for (const name of ["dot.png", "plot.svg"]) {
    const picture = (await preview(page, name)).getByRole("img", { name });
    await expect(picture).toHaveJSProperty("complete", true);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  const report = (await preview(page, "report.html")).frameLocator("iframe");
  await expect(report.getByRole("heading", { name: "Report" })).toBeVisible();
  await expect(report.getByText("scripts run")).toHaveCount(0);
  await expect(page).not.toHaveTitle(/taken over/);
  await (await preview(page, "dot.png")).getByText("Details").click(); // axe waits for answers that a closed frame cannot give
  expect(await accessibilityProblems(page)).toEqual([]);
  // The browser says that it has blocked the scripts.
  expect(watch.consoleErrors.filter((text) => !/sandbox/.test(text))).toEqual([]);
  watch.consoleErrors.length = 0;
});

test("a NIfTI image is shown in three planes, and moved through", async ({ page, ownServer }) => {
  const server = await ownServer({ catalog: await writeCatalog() });
  const runId = await runWithFiles(page.request, server.url);
  await page.goto(`${server.url}/run/${runId}?tab=outputs`);
  const image = await preview(page, "series.nii.gz");
  const axial = image.getByRole("img", { name: `Axial slice 12 of ${SIDE} of series.nii.gz` });
  await expect(axial).toBeVisible();
  await expect(image.getByText("Neurological orientation (left = left)")).toBeVisible();
  await expect(image.getByText("Voxel 12, 11, 11 at 1.0, 0.0, 0.0 mm: 127")).toBeVisible();
  await image.getByRole("slider", { name: /^Axial/ }).press("ArrowRight");
  await expect(image.getByRole("img", { name: /^Axial slice 13/ })).toBeVisible();
  await image.getByRole("slider", { name: /^Volume/ }).press("End");
  await expect(image.getByText(/^Voxel .*: 196$/)).toBeVisible();
  const whole = await settledInk(() => inkOf(page));
  await image.getByRole("slider", { name: "Level" }).press("End");
  await expect.poll(() => inkOf(page)).toBeLessThan(whole);
  await image.getByRole("button", { name: "Reset" }).click();
  await expect.poll(() => inkOf(page)).toBe(whole);
  await image.getByRole("img", { name: /^Coronal/ }).click({ position: { x: 3, y: 3 } });
  await expect(image.getByText(/^Voxel 23, 11, 23/)).toBeVisible();
  await image.getByText("Header").click();
  await expect(image.getByText("NIfTI-1, little-endian")).toBeVisible();
  await expect(image.getByText("left, front, top")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await expect(
    (await preview(page, "cut.nii")).getByText("The file is truncated: its first volume is incomplete."),
  ).toBeVisible();
  await expect((await preview(page, "not-an-image.nii")).getByText(/Not a NIfTI image/)).toBeVisible();
});

/** Two volumes of rings around the middle, the second twice as bright; i runs to the left. */
function volumeOfRings() {
  const half = (SIDE - 2) / 2;
  const value = (n: number): number => {
    const at = [n % SIDE, Math.floor(n / SIDE) % SIDE, Math.floor(n / SIDE ** 2)];
    const far = Math.hypot(...at.map((place, axis) => place - half - (axis === 0 ? 1 : 0)));
    return Math.round(127 * Math.cos(far / 2) ** 2);
  };
  const one = Array.from({ length: SIDE ** 3 }, (_, n) => value(n));
  return {
    size: [SIDE, SIDE, SIDE, 2],
    spacing: [1, 1, 1],
    sform: [
      [-1, 0, 0, half + 2],
      [0, 1, 0, -half],
      [0, 0, 1, -half],
    ],
    values: [...one, ...one.map((shade) => shade * 2)],
  };
}

/** Opens a result in the viewer. */
async function preview(page: Page, name: string) {
  const viewer = page.getByRole("dialog");
  await page.keyboard.press("Escape");
  await expect(viewer).toHaveCount(0);
  await page.getByRole("gridcell", { name }).click();
  return viewer;
}

/** The brightness of the first slice, summed up. */
function inkOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas[role=img]");
    const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
    return data?.reduce((sum, value, place) => sum + (place % 4 === 0 ? value : 0), 0) ?? 0;
  });
}

async function runWithFiles(request: APIRequestContext, url: string): Promise<string> {
  const files = Object.entries(FILES).map(([basename, content]) => ({
    class: "File",
    basename,
    location: `data:application/octet-stream;base64,${content.toString("base64")}`,
  }));
  const response = await request.post(`${url}/api/runs`, { data: { tool: "copy", inputs: { files } } });
  const run = await response.json();
  expect(response.status(), JSON.stringify(run)).toBe(201);
  await expect
    .poll(async () => (await (await request.get(`${url}/api/runs/${run.run_id}`)).json()).state)
    .toBe("COMPLETE");
  return run.run_id;
}

async function writeCatalog(): Promise<string> {
  const folder = await newStateFolder();
  await mkdir(join(folder, "tools/copy/1.0.0"), { recursive: true });
  await mkdir(join(folder, "networks"));
  await writeFile(join(folder, "tools/copy/1.0.0/copy.cwl"), TOOL);
  return folder;
}
