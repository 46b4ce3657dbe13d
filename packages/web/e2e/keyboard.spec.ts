import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { runExampleToEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("the palette finds pages, networks, tools, runs and actions of the page", async ({ page, request }) => {
  const run = await runExampleToEnd(request, "text-statistics");
  await page.goto("/");
  await page.getByRole("button", { name: /^Search/ }).click();
  const input = page.getByRole("combobox", { name: "Search" });
  await expect(input).toBeFocused();
  await expect(page.getByRole("group", { name: "Runs" }).getByRole("option").first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await input.fill("text-statistics");
  await expect(page.getByRole("group", { name: "Networks" }).getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(input).toBeHidden();

  await page.keyboard.press("Control+k");
  await input.fill("provenance");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Provenance" })).toBeFocused();

  await page.keyboard.press("Control+k");
  await input.fill(run.run_id.slice(-12));
  const found = page.getByRole("group", { name: "Runs" }).getByRole("option");
  await expect(found).toHaveCount(1);
  await found.click();
  await expect(page).toHaveURL(new RegExp(`/run/${run.run_id}`));
  await expect(page.getByRole("tab", { name: "Jobs" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await input.fill("tab jobs");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tab=jobs/);
  await page.keyboard.press("Control+k");
  await input.fill("tab timeline");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tab=timeline/);
  await expect(page.getByRole("tab", { name: "Jobs", selected: true })).toBeVisible();
});

test("pages are reached, searched and walked through by single keys", async ({ page }) => {
  await page.goto("/");
  await ready(page);
  for (const [keys, title] of [
    ["gn", "Networks"],
    ["gt", "Tools"],
    ["gp", "Provenance"],
    ["gd", "Weft documentation"],
    ["gr", "Runs"],
    ["gh", "Dashboard"],
    ["gn", "Networks"],
  ] as const) {
    await page.keyboard.type(keys);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeFocused();
  }
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("gr cohort");
  await expect(page.getByRole("searchbox")).toHaveValue("gr cohort");
  await page.getByRole("searchbox").fill("imaging");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox")).not.toBeFocused();
  await expect(page.getByRole("searchbox")).toHaveValue("imaging");
  await page.keyboard.type("jjk");
  await expect(page.getByRole("table").getByRole("link", { name: "Imaging cohort", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Imaging cohort" })).toBeFocused();
  await page.keyboard.press("]");
  await expect(page.getByRole("tab", { selected: true })).toHaveText("Run");
  await page.keyboard.press("[");
  await expect(page.getByRole("tab", { selected: true })).toHaveText("Graph");
  await page.keyboard.press("[");
  await expect(page.getByRole("tab", { selected: true })).toHaveText("Info");
  await page.keyboard.press("r");
  await expect(page.getByRole("tab", { selected: true })).toHaveText("Run");
});

test("the help lists the shortcuts of the page, and single keys can be turned off", async ({ page }) => {
  await page.goto("/websocketclient");
  await ready(page);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Networks", { exact: true })).toBeVisible();
  await expect(help.getByText("Next tab")).toBeHidden();
  await expect(help.getByText("press Esc, then Tab")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await help.getByRole("switch").uncheck();
  await expect(help.getByText("Networks", { exact: true })).toBeHidden();
  await expect(help.getByText("Search and commands")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.type("gn?");
  await expect(page.getByRole("heading", { level: 1, name: "Event console" })).toBeVisible();
  await expect(help).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await help.getByRole("switch").check();
  await page.keyboard.press("Escape");
  await page.keyboard.type("gn");
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeVisible();
});

/** Waits until the page listens to keys. */
async function ready(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
}
