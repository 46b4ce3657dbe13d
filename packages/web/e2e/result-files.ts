import { gzipSync } from "node:zlib";
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { makeNifti } from "../src/components/preview/nifti/testing/make-nifti.ts";
import { dataFile, DOT } from "./gallery-catalog.ts";
import { newFolder } from "./own-server.ts";
import { startRun, waitForEnd } from "./weft-api.ts";

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

export const SIDE = 24;
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
/** The effect that a script in a result would have. */
const ATTACK = "<script>parent.document.title='taken over';document.body.textContent='scripts run'</script>";

const FILES: Readonly<Record<string, Buffer>> = {
  "table.csv": Buffer.from('subject,volume\nsub-01,12.5\n"sub, two",7\n'),
  "table.tsv": Buffer.from("a\tb\n1\t2\n"),
  "values.json": Buffer.from(JSON.stringify({ mean: 3.5, list: [1, { deep: { er: "here" } }], none: null })),
  "report.html": Buffer.from(`<h1 style="color: teal">Report</h1><p>of a job</p>${ATTACK}`),
  "plot.svg": Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><rect width="200" height="80" fill="teal"/><script>parent.document.title='taken over'</script></svg>`,
  ),
  "dot.png": Buffer.from(DOT, "base64"),
  "notes.md": Buffer.from("# Notes\n\nplain text\n"),
  "paper.pdf": Buffer.from(PDF),
  "empty.txt": Buffer.from(""),
  "series.nii.gz": gzipSync(makeNifti(volumeOfRings())),
  "cut.nii": Buffer.from(makeNifti({ size: [4, 4, 4], values: [1, 2, 3] })),
  "not-an-image.nii": Buffer.from("x".repeat(1000)),
};

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
export async function preview(page: Page, name: string) {
  const viewer = page.getByRole("dialog");
  await page.keyboard.press("Escape");
  await expect(viewer).toHaveCount(0);
  await page.getByRole("gridcell", { name }).click();
  await expect(viewer).toContainText(name);
  return viewer;
}

/** Runs the tool of `copyCatalog`; returns the id of the run. */
export async function runWithFiles(request: APIRequestContext, url: string): Promise<string> {
  const files = Object.entries(FILES).map(([name, content]) => dataFile(name, content));
  const run = await startRun(request, { tool: "copy", inputs: { files } }, url);
  expect((await waitForEnd(request, run.run_id, url)).state).toBe("COMPLETE");
  return run.run_id;
}

export const copyCatalog = (): Promise<string> => newFolder({ "tools/copy/1.0.0/copy.cwl": TOOL });
