import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { writeCheckCatalog } from "./check-catalog.ts";
import { newStateFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";

const NUMBERS = Array.from({ length: 300 }, (_, place) => place);

test("pages stay short with 300 samples, and lists are edited as text", async ({ page, request, ownServer }) => {
  const catalog = join(await newStateFolder(), "catalog");
  await writeCheckCatalog(catalog);
  const server = await ownServer({ catalog });
  const samples = { numbers: NUMBERS.map((n) => `sub-${n}`) };
  const data = { network: "many", inputs: { numbers: NUMBERS }, samples };
  const created = await request.post(`${server.url}/api/runs`, { data });
  // The API's own tests prove the shape.
  const { run_id: runId } = (await created.json()) as { run_id: string };

  await page.goto(`${server.url}/run/${runId}`);
  await expect(page.locator("[data-state=EXECUTOR_ERROR]").first()).toBeVisible({ timeout: 30_000 });
  await expectShort(page);
  await page.getByRole("tab", { name: "Samples" }).click();
  await expect(page.getByRole("row").nth(1)).toContainText("sub-255");
  await expectShort(page);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByRole("tab", { name: "Logs" }).click();
  await expect(page.getByRole("combobox", { name: "Job" })).toHaveValue(/each-255/);

  await page.getByRole("link", { name: "Run again" }).click();
  const list = page.getByRole("region", { name: "numbers: 300 entries" });
  await expect(list.getByRole("textbox").first()).toHaveValue("0");
  await expectShort(page);
  expect(await page.locator("*").count()).toBeLessThan(3000);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Edit as text: numbers" }).click();
  const text = page.getByRole("textbox", { name: "numbers, one entry per line" });
  await text.fill(NUMBERS.map((n) => (n === 250 ? "x" : n + 1)).join("\n"));
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(list.getByRole("textbox").first()).toHaveValue("1");
  await page.getByRole("button", { name: "Start run" }).click();
  // An entry that is far out of sight is found all the same.
  await page.getByRole("alert").getByRole("button").first().click();
  await expect(page.getByRole("textbox", { name: "numbers 251" })).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/run/${runId}?tab=events`);
  await expect(page.getByText("run.created", { exact: true })).toBeVisible();
  await expectShort(page);
});

/** No more than three screens. */
async function expectShort(page: Page): Promise<void> {
  const screens = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
  expect(screens).toBeLessThan(3);
}
