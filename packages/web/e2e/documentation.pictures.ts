import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, type Locator, type Page } from "@playwright/test";
import { practiceDataset } from "./practice-dataset.ts";
import { waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

// `npx playwright test --project=pictures` draws the pictures of the README and the guides again, from the demonstration runs.

interface Shot {
  readonly name: string;
  readonly theme: "light" | "dark";
  readonly path: (runId: string) => string;
  readonly prepare?: (page: Page) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
  { name: "dashboard-dark", theme: "dark", path: () => "/" },
  { name: "run-light", theme: "light", path: (runId) => `/run/${runId}?tab=graph` },
  { name: "volume-light", theme: "light", path: (runId) => `/run/${runId}?tab=outputs`, prepare: showVolume },
];

const ELDERLY = {
  location: "weft-data://study/",
  where: [
    { field: "suffix", op: "=", values: ["T1w"] },
    { field: "ses", op: "=", values: ["1"] },
    { field: "age", op: ">", values: ["66"] },
  ],
  per: ["sub"],
  columns: [{ kind: "file", name: "images" }],
};

test("pictures for the guides about cohorts", async ({ page, ownServer }) => {
  test.setTimeout(600_000);
  const server = await ownServer({ more: ["--data", `study=${await practiceDataset()}`] });
  const post = async (path: string, data: object) =>
    (await page.request.post(`${server.url}/api/${path}`, { data })).json();
  const saved = await post("dataset-queries", { name: "Elderly", network: "imaging-cohort", query: ELDERLY });
  const dataset = { query_id: saved.query_id };
  const { run_id: runId } = await post("runs", { network: "imaging-cohort", name: "Elderly, first session", dataset });
  expect((await waitForEnd(page.request, runId, server.url)).state).toBe("COMPLETE");
  const settings = { network: "imaging-cohort", trigger: { kind: "samples" }, settle_s: 0, dataset };
  const automation = await post("automations", { ...settings, name: "New subjects" });
  const historyPath = `${server.url}/api/automations/${automation.automation_id}/history`;
  await expect
    .poll(async () => (await (await page.request.get(historyPath)).json()).history.length, { timeout: 120_000 })
    .toBeGreaterThan(1);
  const shots: readonly (readonly [string, string, (() => Promise<void>)?])[] = [
    ["dataset-light", `/dataset?location=weft-data://study/&query=${saved.query_id}`],
    ["run-query-light", `/run/${runId}?tab=inputs`, () => page.getByText("What it found and left out").click()],
    ["cohort-table-light", `/run/${runId}?tab=table`],
    ["review-light", `/run/${runId}?tab=review`, () => markThree(page)],
    ["automation-light", `/automations?automation=${automation.automation_id}`],
  ];
  for (const [name, path, prepare] of shots) {
    // Pictures compress less well than text.
    await page.setViewportSize({
      width: 1100,
      height: name === "dataset-light" ? 1000 : name === "review-light" ? 500 : 640,
    });
    await page.goto(server.url + path);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
    await prepare?.();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: fileURLToPath(new URL(`../../../docs/images/${name}.png`, import.meta.url)) });
  }
});

async function markThree(page: Page): Promise<void> {
  for (const [at, name] of ["Pass", "Fail", "Pass"].entries())
    await page
      .getByRole("gridcell")
      .nth(at)
      .getByRole("button", { name: new RegExp(`^${name} `) })
      .click();
  await page.evaluate(() => scrollTo(0, 0));
}

test("pictures for the README", async ({ page, request, sharedServer }) => {
  test.setTimeout(240_000);
  await promisify(execFile)(process.execPath, ["packages/tooling/demo-runs.mjs", sharedServer]);
  const { runs } = await (await request.get("/api/runs?tag=demo:complete")).json();
  for (const { name, theme, path, prepare } of SHOTS) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(path(runs[0].run_id));
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
    await prepare?.(page);
    const file = new URL(`../../../docs/images/${name}.png`, import.meta.url);
    await page.screenshot({ path: fileURLToPath(file) });
  }
});

async function showVolume(page: Page): Promise<void> {
  await page.getByRole("gridcell", { name: /sub-01_smooth\.nii/ }).click();
  const slice = page.getByRole("img", { name: /^Axial slice/ });
  await clickAt(slice, 0.5, 0.34);
  await clickAt(page.getByRole("img", { name: /^Coronal slice/ }), 0.5, 0.67);
}

async function clickAt(picture: Locator, across: number, down: number): Promise<void> {
  const box = await picture.boundingBox();
  await picture.click({ position: { x: across * (box?.width ?? 0), y: down * (box?.height ?? 0) } });
}
