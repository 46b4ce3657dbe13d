import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { DOT, galleryCatalog, runGallery, SQUARE } from "./gallery-catalog.ts";
import { compareButton, runExampleToEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("three runs are compared side by side, with verdicts, different lines and durations", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const ids: string[] = [];
  for (const [top, cache] of [
    [3, "use"],
    [5, "use"],
    [3, "refresh"],
  ] as const) {
    const start = { change: { top }, more: { options: { cache } } };
    ids.push((await runExampleToEnd(request, "text-statistics", start)).run_id);
  }
  await page.goto("/runs");
  for (const id of ids) await page.locator(`tr[data-run="${id}"]`).getByRole("checkbox").check();
  await page.getByRole("region", { name: "Selected runs" }).getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(new RegExp(`compare=${ids.join("(,|%2C)")}`));

  const verdicts = page.getByRole("region", { name: "Verdicts" }).getByRole("listitem");
  await expect(verdicts.filter({ hasText: "A and B" })).toContainText(
    /Different\. Same document, 1 of \d+ inputs differs/,
  );
  await expect(verdicts.filter({ hasText: "A and C" })).toContainText(/Identical\. Same document, same inputs/);
  const inputs = page.getByRole("table", { name: "Inputs", exact: true });
  await expect(inputs.getByRole("row").nth(1)).toHaveText("top35+66.7%3B differs");

  await page.getByText("Timing and resources", { exact: true }).click();
  const timing = page.getByRole("table", { name: "Timing and resources", exact: true });
  await expect(timing.getByRole("row").filter({ hasText: "Duration" }).getByRole("cell")).toHaveCount(4);
  await expect(timing).not.toContainText("not available yet");
  await expect(
    timing
      .getByRole("row", { name: /^Cached jobs/ })
      .getByRole("cell")
      .last(),
  ).toHaveText("0");

  const results = page.getByRole("region", { name: "Different outputs" });
  await expect(results.getByRole("button", { name: /A and C$/ })).toHaveCount(0);
  await results
    .getByRole("button", { name: /^Compare .*top_words.*, A and B$/ })
    .first()
    .click();
  const lines = page.getByRole("dialog").getByRole("region", { name: /^Line diff of top_words.*: A, B$/ });
  await expect(lines.getByText("added: ").first()).toBeAttached();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Use B as baseline" }).click();
  await expect(inputs.getByRole("row").nth(1)).toHaveText("top53−40%3−40%B and C differ");
  await page.getByRole("button", { name: "Remove C" }).click();
  await expect(inputs.getByRole("row").nth(1)).toHaveText("top53−40%differs");
  await expect(page.getByRole("region", { name: "Verdict", exact: true })).toContainText("Different.");
  await page.getByRole("link", { name: "Add a run…" }).click();
  await expect(page.getByText("Select another run to compare.")).toBeVisible();
  await compareButton(page, ids[2] ?? "").click();
  await expect(page).toHaveURL(new RegExp(`compare=${[ids[1], ids[0], ids[2]].join("(,|%2C)")}`));
  await expect(verdicts).toHaveCount(2);
});

test("different outputs are listed by sample, with numbers in percent and images in one place, on a phone too", async ({
  page,
  ownServer,
}) => {
  test.setTimeout(180_000);
  const server = await ownServer({ catalog: await galleryCatalog() });
  const subjects = Array.from({ length: 30 }, (_, n) => `sub-${n}`);
  const plots = [SQUARE, DOT] as const;
  const ids: string[] = [];
  for (const [n, plot] of plots.entries())
    ids.push(await runGallery(page.request, server.url, { subjects, factor: n + 2, plot }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/runs?compare=${ids.join(",")}`);
  const results = page.getByRole("region", { name: "Different outputs" });
  await expect(page.getByRole("table", { name: "Inputs", exact: true })).toContainText("+50%");
  const volume = results.getByRole("row").filter({ hasText: "volume[0]" });
  await expect(volume).toContainText("sub-0");
  await expect(volume).toContainText("+18.8%");
  await expect(page.getByText(/sha(1|256)[$:]/)).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_000);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await accessibilityProblems(page)).toEqual([]);

  await results.getByRole("button", { name: /^Compare sub-0 · plot\[0\]/ }).click();
  const dialog = page.getByRole("dialog");
  for (const name of ["A", "B"])
    await expect(dialog.getByRole("img", { name, exact: true })).toHaveJSProperty("complete", true);
  const slider = dialog.getByRole("slider", { name: "Portion showing A" });
  await slider.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", "100% A, 0% B");
  await expect(dialog.getByRole("img", { name: "A", exact: true })).toHaveCSS("clip-path", /inset\(0(px)? 0%/);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});
