import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import { startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

/** `WEFT_SCREENSHOTS=1 playwright test screenshots` draws the pictures of the README anew. */
test.skip(process.env["WEFT_SCREENSHOTS"] === undefined, "only when the pictures are wanted");

const SHOTS = [
  { name: "dashboard", path: () => "/" },
  { name: "network", path: () => "/network/imaging-cohort" },
  { name: "form", path: () => "/network/imaging-cohort?tab=run" },
  { name: "run", path: (runId: string) => `/run/${runId}?tab=graph` },
] as const;

test("pictures for the README", async ({ page, request }) => {
  test.setTimeout(240_000);
  const done = await startExample(request, "imaging-cohort");
  await waitForEnd(request, done.run_id);
  await startExample(request, "practice-load");
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const { name, path } of SHOTS) {
      await page.goto(path(done.run_id));
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
      const file = new URL(`../../../docs/images/${name}-${theme}.png`, import.meta.url);
      await page.screenshot({ path: fileURLToPath(file) });
    }
  }
});
