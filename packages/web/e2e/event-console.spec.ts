import { expect } from "@playwright/test";
import { startExample } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("the event console shows events as they happen", async ({ page, request }) => {
  await page.goto("/websocketclient");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Connected" })).toBeVisible();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  const run = await startExample(request, "text-statistics");
  const stream = page.getByRole("region", { name: "Received and sent messages" });
  // The list shows only part of the stream: the filter keeps the answer visible, whatever else arrives.
  await page.getByRole("textbox", { name: "Filter" }).fill("run.created");
  await expect(stream.getByText("run.created", { exact: true })).toBeVisible();
  await stream
    .getByRole("button", { name: /run\.created/ })
    .first()
    .click();
  await expect(stream.locator("pre")).toContainText(run.run_id);
  await page.getByRole("textbox", { name: "Filter" }).fill("pong");
  await page.getByRole("textbox", { name: "Send" }).fill('{"op":"ping"}');
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(stream.getByText("pong", { exact: true })).toBeVisible();
});

test("the events of a run are listed on its page and grow by themselves", async ({ page, request }) => {
  const run = await startExample(request, "text-statistics");
  await page.goto(`/run/${run.run_id}?tab=events`);
  await expect(page.getByRole("cell", { name: "run.created" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "run.ended" })).toBeVisible({ timeout: 60_000 });
});
