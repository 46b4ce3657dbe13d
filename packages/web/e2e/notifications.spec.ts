import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { WebhookReceiver } from "../../engine/src/testing/webhook-receiver.ts";
import { cohortCatalog, runCohort } from "./cohort-catalog.ts";
import { newFolder } from "./own-server.ts";
import { startRun } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";

const FAIL = `cwlVersion: v1.2
class: Workflow
inputs: {}
steps: { fail: { in: {}, out: [], run: { class: CommandLineTool, baseCommand: "false", inputs: {}, outputs: [] } } }
outputs: []
`;

test("a webhook receives a message about a run, a test, and a message again", async ({ page, ownServer }) => {
  const receiver = await WebhookReceiver.start();
  const server = await ownServer({
    catalog: await newFolder({ "networks/fail/fail.cwl": FAIL }),
    more: ["--webhook-hosts", "127.0.0.1"],
  });
  await page.goto(`${server.url}/notifications`);
  await expect(page.getByText("No subscriptions yet.")).toBeVisible();
  await page.getByRole("button", { name: "New subscription…" }).click();
  const dialog = page.getByRole("dialog", { name: "New subscription" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Lab bot");
  await dialog.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  const done = page.getByRole("dialog", { name: "Subscribed" });
  await expect(done.getByText(/^whsec_/)).toBeVisible();
  await done.getByRole("button", { name: "Done" }).click();

  receiver.reactions.push(500, 500);
  await startRun(page.request, { network: "fail", name: "Night" }, server.url);
  const row = page.getByRole("row", { name: /Lab bot/ });
  await expect(row).toContainText("the receiver answered 500");
  receiver.reactions.length = 0;
  await row.getByRole("link", { name: "Lab bot" }).click();
  const panel = page.getByRole("dialog", { name: "Lab bot" });
  await panel.getByRole("button", { name: "Send test message" }).click();
  const item = panel.getByRole("listitem").filter({ hasText: "Night" });
  await item.getByRole("button", { name: "Send again" }).click();
  await expect(item).toContainText("Delivered");
  await expect(panel.getByRole("listitem").filter({ hasText: "Test message" })).toContainText("Delivered");
  expect(receiver.received.length).toBeGreaterThanOrEqual(3);
  expect(await accessibilityProblems(page)).toEqual([]);

  await panel.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete subscription" }).click();
  await expect(page.getByText("No subscriptions yet.")).toBeVisible();
  await receiver.close();
});

test("a webhook receives a message about samples that need review", async ({ page, ownServer }) => {
  const receiver = await WebhookReceiver.start();
  const server = await ownServer({ catalog: await cohortCatalog(), more: ["--webhook-hosts", "127.0.0.1"] });
  await page.goto(`${server.url}/notifications`);
  await page.getByRole("button", { name: "New subscription…" }).click();
  const dialog = page.getByRole("dialog", { name: "New subscription" });
  await dialog.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await dialog.getByRole("textbox", { name: "Name" }).fill("QC");
  await dialog.getByRole("checkbox", { name: "a run fails" }).uncheck();
  await dialog.getByRole("checkbox", { name: "samples need review" }).check();
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("dialog", { name: "Subscribed" }).getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /QC/ })).toContainText("samples need review");
  const runId = await runCohort(page.request, server.url);
  await receiver.until(({ length }) => length > 0);
  const message = JSON.parse(receiver.received[0]?.body ?? "{}") as { type: string; data: { url: string } };
  expect(message).toMatchObject({ type: "run.review-needed", data: { run_id: runId } });
  await page.goto(message.data.url);
  await expect(page.getByRole("tab", { name: "Results", selected: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Review", pressed: true })).toBeVisible();
  await receiver.close();
});
