import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./weft-test.ts";

/** `WEFT_SCREENSHOTS=1 npx playwright test screenshots` draws the pictures of the README anew, from the demonstration runs. */
test.skip(process.env["WEFT_SCREENSHOTS"] === undefined, "only when the pictures are wanted");

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
