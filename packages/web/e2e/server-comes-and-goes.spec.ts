import { expect } from "@playwright/test";
import { freePort, newFolder } from "./own-server.ts";
import { expectSuccess, runExample } from "./page-actions.ts";
import { startExample } from "./weft-api.ts";
import { forgetErrors, ownServerTest as test } from "./weft-test.ts";

/** Refused connections to a stopped server appear in the console. */
const LOST_CONNECTION = /ERR_CONNECTION|WebSocket|503|dynamically imported/;

test("the shutdown page asks, stops the server and says when it has stopped; detached runs wait for the next start", async ({
  page,
  watch,
  ownServer,
  serverProcess,
}) => {
  const state = await newFolder();
  const first = await serverProcess({ state });
  const { run_id } = await startExample(page.request, "practice-load", { url: first.url });
  await page.goto(`${first.url}/shutdown`);
  const button = page.getByRole("button", { name: "Shut down server" });
  await expect(button).toBeDisabled();
  await page.getByRole("radio", { name: /^Detach/ }).check();
  await page.getByRole("textbox", { name: /Type "shutdown"/ }).fill("shutdown");
  await button.click();
  await expect(page.getByRole("heading", { name: "The server has stopped." })).toBeVisible({ timeout: 30_000 });
  await expect.poll(first.hasExited).toBe(true);
  const second = await ownServer({ state });
  await page.goto(`${second.url}/run/${run_id}`);
  await expect(page.locator("[data-state=COMPLETE], [data-state=RUNNING]").first()).toBeVisible();
  await page.request.delete(`${second.url}/api/runs/${run_id}`);
  await expect(page.locator("[data-state=CANCELED], [data-state=COMPLETE]").first()).toBeVisible({ timeout: 30_000 });
  forgetErrors(watch, LOST_CONNECTION);
});

test("a page survives a restart of the server and continues automatically", async ({
  page,
  watch,
  ownServer,
  serverProcess,
}) => {
  const state = await newFolder();
  const first = await serverProcess({ state });
  await page.goto(`${first.url}/runs`);
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await first.stop();
  await expect(page.getByText(/^(Reconnecting|Offline)$/)).toBeVisible();
  // A page that was not loaded before appears when the server is back.
  await page.getByRole("link", { name: "Networks", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Can't reach the server" })).toBeVisible();
  const second = await ownServer({ state, port: Number(new URL(first.url).port) });
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeVisible({ timeout: 40_000 });
  await page.goto(`${second.url}/runs`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible({ timeout: 40_000 });
  await startExample(page.request, "text-statistics", { url: second.url });
  await expect(page.getByRole("cell", { name: /Text statistics/ }).first()).toBeVisible();
  forgetErrors(watch, LOST_CONNECTION);
});

test("everything works below another base address", async ({ page, ownServer }) => {
  const server = await ownServer({ port: await freePort(), prefix: "/weft" });
  await page.goto(`${server.url}/`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Run text-statistics" }).click();
  await expect(page).toHaveURL(`${server.url}/network/text-statistics?tab=run`);
  await runExample(page);
  await expectSuccess(page);
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("gridcell", { name: /\.csv/ }).first().click();
  const href = await page.getByRole("link", { name: "Open", exact: true }).first().getAttribute("href");
  expect((await page.request.get(new URL(href ?? "", server.url).href)).status()).toBe(200);
});
