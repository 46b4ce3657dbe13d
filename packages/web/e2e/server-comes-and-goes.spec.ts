import { expect } from "@playwright/test";
import { freePort, newStateFolder } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("the shutdown page asks, stops the server and says when it has stopped", async ({
  page,
  watch,
  serverProcess,
}) => {
  const server = await serverProcess();
  await page.goto(`${server.url}/shutdown`);
  const button = page.getByRole("button", { name: "Shut down server" });
  await expect(button).toBeDisabled();
  await page.getByRole("textbox", { name: /Type "shutdown"/ }).fill("shutdown");
  await button.click();
  await expect(page.getByRole("heading", { name: "The server has stopped." })).toBeVisible({ timeout: 30_000 });
  await expect.poll(server.hasExited).toBe(true);
  await page.goto("about:blank"); // the open page would keep sending requests to the server
  forgetLostConnections(watch.consoleErrors);
});

test("a page survives a restart of the server and continues automatically", async ({
  page,
  watch,
  ownServer,
  serverProcess,
}) => {
  const state = await newStateFolder();
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
  const network = await (await page.request.get(`${second.url}/api/networks/text-statistics`)).json();
  await page.request.post(`${second.url}/api/runs`, {
    data: { network: "text-statistics", inputs: network.examples[0].inputs },
  });
  await expect(page.getByRole("cell", { name: /Text statistics/ }).first()).toBeVisible();
  forgetLostConnections(watch.consoleErrors);
});

test("everything works below another base address", async ({ page, ownServer }) => {
  const server = await ownServer({ port: await freePort(), prefix: "/weft" });
  await page.goto(`${server.url}/`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Run text-statistics" }).click();
  await expect(page).toHaveURL(`${server.url}/network/text-statistics?tab=run`);
  await page
    .getByRole("button", { name: /Use example/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible({ timeout: 40_000 });
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("gridcell", { name: /\.csv/ }).first().click();
  const href = await page.getByRole("link", { name: "Open", exact: true }).first().getAttribute("href");
  expect((await page.request.get(new URL(href ?? "", server.url).href)).status()).toBe(200);
});

/** Refused connections to a stopped server appear in the console. */
function forgetLostConnections(errors: string[]): void {
  expect(errors.filter((text) => !/ERR_CONNECTION|WebSocket|503|dynamically imported/.test(text))).toEqual([]);
  errors.length = 0;
}
