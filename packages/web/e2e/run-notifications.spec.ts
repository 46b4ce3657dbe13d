import { expect, type Page } from "@playwright/test";
import { newStateFolder } from "./own-server.ts";
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

test("a server that is stopped by detaching leaves its runs to the next start", async ({
  page,
  watch,
  ownServer,
  serverProcess,
}) => {
  test.setTimeout(120_000);
  const state = await newStateFolder();
  const first = await serverProcess({ state });
  const network = await (await page.request.get(`${first.url}/api/networks/practice-load`)).json();
  const data = { network: "practice-load", inputs: network.examples[0].inputs };
  const { run_id } = await (await page.request.post(`${first.url}/api/runs`, { data })).json();
  await page.goto(`${first.url}/shutdown`);
  await page.getByRole("radio", { name: /^Detach/ }).check();
  await page.getByRole("textbox", { name: /Type "shutdown"/ }).fill("shutdown");
  await page.getByRole("button", { name: "Shut down server" }).click();
  await expect(page.getByRole("heading", { name: "The server has stopped." })).toBeVisible({ timeout: 30_000 });
  const second = await ownServer({ state });
  await page.goto(`${second.url}/run/${run_id}`);
  await expect(page.locator("[data-state=COMPLETE], [data-state=RUNNING]").first()).toBeVisible();
  await page.request.delete(`${second.url}/api/runs/${run_id}`);
  await expect(page.locator("[data-state=CANCELED], [data-state=COMPLETE]").first()).toBeVisible({ timeout: 30_000 });
  expect(watch.consoleErrors.filter((text) => !/ERR_CONNECTION|WebSocket|503/.test(text))).toEqual([]);
  watch.consoleErrors.length = 0;
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
