import { expect, type Page } from "@playwright/test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { runExampleToEnd, startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("groups of states are counted live, and new runs wait behind a button", async ({ page, request }) => {
  await runExampleToEnd(request, "text-statistics");
  await page.goto("/runs");
  const succeeded = page.getByRole("group", { name: "Filter by state" }).getByRole("button", { name: /^Succeeded/ });
  await expect(succeeded).toHaveText(/^Succeeded \d+$/);
  const before = Number((await succeeded.innerText()).replace(/\D/g, ""));
  const first = page.getByRole("row").nth(1);
  const top = await first.innerText();
  const run = await runExampleToEnd(request, "text-statistics");
  await expect(succeeded).toHaveText(`Succeeded ${before + 1}`);
  const pill = page.getByRole("button", { name: "1 new run: show" });
  await expect(pill).toBeVisible();
  expect((await first.innerText()).split("\n")[2]).toBe(top.split("\n")[2]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await pill.click();
  await expect(page.locator(`tr[data-run="${run.run_id}"]`)).toBeVisible();
  await expect(pill).toBeHidden();
  await page.getByRole("searchbox").fill("text-statistics");
  await expect(succeeded).toHaveText("Succeeded");
});

test("several runs are chosen with Shift or by keys, and aborted at once", async ({ page, request }) => {
  const runs: Run[] = [];
  for (let n = 0; n < 3; n += 1) runs.push(await startExample(request, "practice-load"));
  await page.goto("/runs");
  const box = (n: number) => rowOf(page, runs[n]?.run_id ?? "").getByRole("checkbox");
  await box(0).check();
  await box(2).click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: "Selected runs" });
  await expect(bar.getByText("3 runs selected")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await rowOf(page, runs[2]?.run_id ?? "")
    .getByRole("link")
    .first()
    .focus();
  await page.keyboard.press("x");
  await expect(bar.getByText("2 runs selected")).toBeVisible();
  await expect(bar.getByRole("link", { name: "Compare" })).toBeVisible();
  await page.keyboard.press("x");
  await bar.getByRole("button", { name: "Abort 3 runs" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Abort 3 runs?" });
  await expect(dialog.getByRole("listitem")).toHaveCount(3);
  await dialog.getByRole("button", { name: "Abort 3 runs" }).click();
  for (const { run_id } of runs) expect((await waitForEnd(request, run_id)).state).toBe("CANCELED");
  await expect(bar).toBeHidden();
});

test("a run gets a name, a note and tags, and searches and saved views find it by them", async ({ page, request }) => {
  const { run_id: runId, name } = await startExample(request, "text-statistics");
  expect(name).toMatch(/^Text statistics, 4 texts, \d+ \w+ \d\d:\d\d$/);
  await page.goto(`/run/${runId}`);
  await page.getByRole("button", { name: "More actions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Name, note and tags…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Name, note and tags" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Baseline");
  await dialog.getByRole("textbox", { name: "Note" }).fill("Before the new scanner.");
  await dialog.getByRole("textbox", { name: "Tags" }).fill("paper: figure-2\nchecked: 1\nchecked: 2");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("The tag checked occurs twice.");
  await dialog.getByRole("textbox", { name: "Tags" }).fill("paper: figure-2\nchecked");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Baseline" })).toBeVisible();
  await expect(page.getByText("Before the new scanner.")).toBeVisible();

  await page.getByRole("link", { name: "paper: figure-2" }).click();
  await expect(page.locator("tr[data-run]")).toHaveCount(1);
  await page.getByRole("textbox", { name: "Owner" }).fill("nobody");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No runs match these filters.")).toBeVisible();
  await page.getByRole("textbox", { name: "Owner" }).fill("");
  await page.getByLabel("Created from").fill("2020-01-01");
  await page.getByLabel("Created from").press("Enter");
  await expect(rowOf(page, runId)).toContainText("checked");
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("textbox", { name: "View name" })).toBeFocused();
  await page.keyboard.type("Paper");
  await page.keyboard.press("Enter");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto("/runs");
  await page.getByRole("link", { name: "Paper", exact: true }).click();
  await expect(page).toHaveURL(/tag=paper%3Afigure-2&from=2020-01-01/);
  await expect(page.locator("tr[data-run]")).toHaveCount(1);
});

test("networks are sorted, and the last run leads to the runs", async ({ page, request }) => {
  await runExampleToEnd(request, "text-statistics");
  await page.goto("/networks");
  await page.getByLabel("Sort by").selectOption("Last run");
  await expect(page).toHaveURL(/sort=last/);
  await expect(page.getByRole("row").nth(1)).toContainText("text-statistics");
  await page.getByRole("row").nth(1).getByRole("link", { name: /·/ }).click();
  await expect(page).toHaveURL(/text-statistics\?tab=runs/);
});

function rowOf(page: Page, runId: string) {
  return page.locator(`tr[data-run="${runId}"]`);
}

test("runs are pinned, tagged and archived together, and found again by a filter", async ({ page, request }) => {
  const [first, second] = [
    await runExampleToEnd(request, "text-statistics"),
    await runExampleToEnd(request, "text-statistics"),
  ];
  const ids = [first.run_id, second.run_id];
  await page.goto("/runs");
  const list = page.getByRole("table", { name: "Runs, newest first", exact: true });
  const row = (id: string) => list.locator(`tr[data-run="${id}"]`);
  const bar = page.getByRole("region", { name: "Selected runs" });
  const choose = async () => {
    for (const id of ids) await row(id).getByRole("checkbox").check();
  };
  await choose();
  await bar.getByRole("button", { name: "Tags…" }).click();
  const dialog = page.getByRole("dialog", { name: "Tags of 2 runs" });
  await dialog.getByRole("button", { name: "Change tags" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Write a tag to add, or choose one to remove.");
  await dialog.getByRole("textbox", { name: "Add" }).fill("paper: figure-2");
  await dialog.getByRole("button", { name: "Change tags" }).click();
  for (const id of ids) await expect(row(id)).toContainText("paper: figure-2");
  await choose();
  await bar.getByRole("button", { name: "Pin", exact: true }).click();
  const pinned = page.getByRole("table", { name: "Pinned runs, newest first" });
  for (const id of ids) await expect(pinned.locator(`tr[data-run="${id}"]`)).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await choose();
  await bar.getByRole("button", { name: "Archive" }).click();
  for (const id of ids) await expect(row(id)).toBeHidden();
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Archived runs" }).selectOption("Only archived");
  await expect(page).toHaveURL(/archived=only/);
  for (const id of ids) await expect(row(id)).toContainText("archived");
  await choose();
  await bar.getByRole("button", { name: "Unarchive" }).click();
  for (const id of ids) await expect(row(id)).toBeHidden();
  await page.goto(`/run/${ids[0]}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Unpin" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Pin", exact: true })).toBeVisible();
});
