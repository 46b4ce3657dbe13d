import { expect } from "@playwright/test";
import { freePort, newStateFolder, startServer } from "./own-server.ts";
import { test } from "./weft-test.ts";

test("the shutdown page asks, stops the server and says when it is gone", async ({ page, watch }) => {
  const server = await startServer({ port: await freePort(), state: await newStateFolder(), prefix: "" });
  await page.goto(`${server.url}/shutdown`);
  const button = page.getByRole("button", { name: "Shut down server" });
  await expect(button).toBeDisabled();
  await page.getByRole("textbox", { name: /Type “shutdown”/ }).fill("shutdown");
  await button.click();
  await expect(page.getByRole("heading", { name: "The server has stopped." })).toBeVisible({ timeout: 30_000 });
  await expect.poll(server.hasExited).toBe(true);
  forgetLostConnections(watch.consoleErrors, watch.foreignRequests, server.url);
});

test("a page survives a restart of the server and goes on by itself", async ({ page, watch }) => {
  const options = { port: await freePort(), state: await newStateFolder(), prefix: "" };
  const first = await startServer(options);
  await page.goto(`${first.url}/runs`);
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await first.stop();
  await expect(page.getByText(/^(Reconnecting|Offline)$/)).toBeVisible();
  // A page that was not read yet cannot be shown; it appears when the server is back.
  await page.getByRole("link", { name: "Networks", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Part of this page failed to load" })).toBeVisible();
  const second = await startServer(options);
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeVisible({ timeout: 40_000 });
  await page.goto(`${second.url}/runs`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible({ timeout: 40_000 });
  const network = await (await page.request.get(`${second.url}/api/networks/text-statistics`)).json();
  await page.request.post(`${second.url}/api/runs`, {
    data: { network: "text-statistics", inputs: network.examples[0].inputs },
  });
  await expect(page.getByRole("cell", { name: /Text statistics/ }).first()).toBeVisible();
  await second.stop();
  forgetLostConnections(watch.consoleErrors, watch.foreignRequests, first.url);
});

test("everything works below another base address", async ({ page, watch }) => {
  const server = await startServer({ port: await freePort(), state: await newStateFolder(), prefix: "/weft" });
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
  await page.getByRole("tab", { name: "Outputs" }).click();
  await page.getByRole("gridcell", { name: /\.csv/ }).first().click();
  const href = await page.getByRole("link", { name: "Open", exact: true }).first().getAttribute("href");
  expect((await page.request.get(new URL(href ?? "", server.url).href)).status()).toBe(200);
  expect(watch.foreignRequests.filter((url) => !url.startsWith(server.url))).toEqual([]);
  await page.goto("about:blank"); // a page that is open asks a server that is gone
  await server.stop();
  forgetLostConnections(watch.consoleErrors, watch.foreignRequests, server.url);
});

/** A server that is gone leaves refused connections in the console; the own server counts as home here. */
function forgetLostConnections(errors: string[], requests: string[], url: string): void {
  expect(errors.filter((text) => !/ERR_CONNECTION|WebSocket|503|dynamically imported/.test(text))).toEqual([]);
  expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
  errors.length = 0;
  requests.length = 0;
}
