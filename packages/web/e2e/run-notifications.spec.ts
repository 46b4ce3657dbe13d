import { expect, type Page } from "@playwright/test";
import { startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("the end of a watched run is announced, and only a click asks for permission", async ({ page, request }) => {
  await recordNotices(page);
  const run = await startExample(request, "practice-load");
  const other = await startExample(request, "practice-load");
  await page.goto(`/run/${run.run_id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  const item = page.getByRole("menuitemcheckbox", { name: "Notify me" });
  await expect(item).toBeVisible();
  expect(await recorded(page)).toEqual([]);
  await item.click();
  await expect(item).toBeChecked();
  expect(await recorded(page)).toEqual(["asked"]);
  for (const { run_id } of [other, run]) {
    await request.delete(`/api/runs/${run_id}`);
    await waitForEnd(request, run_id);
  }
  await expect.poll(() => recorded(page)).toEqual(["asked", `Aborted: ${run.name}`]);
});

/** Replaces the system's notifications, which a headless browser does not show, with a recorder. */
async function recordNotices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const told: string[] = [];
    class Recorder extends EventTarget {
      static requestPermission(): Promise<string> {
        told.push("asked");
        return Promise.resolve("granted");
      }
      constructor(title: string) {
        super();
        told.push(title);
      }
    }
    Object.assign(globalThis, { Notification: Recorder, told });
  });
}

function recorded(page: Page): Promise<readonly string[]> {
  // Defined by recordNotices.
  return page.evaluate(() => (globalThis as unknown as { told: readonly string[] }).told);
}
