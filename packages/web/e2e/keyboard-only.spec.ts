import { expect, type Locator, type Page } from "@playwright/test";
import { expectSuccess } from "./page-actions.ts";
import { test } from "./weft-test.ts";

type Step = "Tab" | "Shift+Tab" | "ArrowRight";

/** Maximum number of steps to reach a part of the page. */
const MAX_STEPS = 60;

test("a run is started, watched and looked through without a mouse", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  await press(page, page.getByRole("navigation").getByRole("link", { name: "Networks" }).first(), "Shift+Tab");
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeFocused();
  await press(page, page.getByRole("link", { name: "Text statistics", exact: true }));
  await expect(page.getByRole("heading", { level: 1, name: "Text statistics" })).toBeFocused();
  await goToTab(page, "Run");
  await press(page, page.getByRole("button", { name: "Use example" }));
  await press(page, page.getByRole("button", { name: "Start run" }));

  await expectSuccess(page);
  await goToTab(page, "Results");
  const result = page.getByRole("gridcell", { name: /\.csv/ }).first();
  await walkTo(page, page.locator("[data-cell][tabindex='0']").first());
  await walkTo(page, result, "ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(result).toBeFocused();
  await goToTab(page, "Jobs");
  await press(page, page.getByRole("button", { name: /^count/ }).first());
  const panel = page.getByRole("dialog");
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(page.getByRole("button", { name: /^count/ }).first()).toBeFocused();
});

/** Walks to an element, checks that its focus is visible, and presses it. */
async function press(page: Page, target: Locator, step: Step = "Tab"): Promise<void> {
  await walkTo(page, target, step);
  await page.keyboard.press("Enter");
}

async function walkTo(page: Page, target: Locator, step: Step = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await target.evaluate(hasRing), `${target.toString()} shows that it has the focus`).toBe(true);
      return;
    }
    await page.keyboard.press(step);
  }
  throw new Error(`${target.toString()} is not reached by ${MAX_STEPS} times ${step}`);
}

function hasRing(element: Element): boolean {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  return (
    element.matches(":focus-visible") && ((outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none")
  );
}

/** Moves along the tabs with the arrow keys, starting at the selected one. */
async function goToTab(page: Page, name: string): Promise<void> {
  await walkTo(page, page.getByRole("tab", { selected: true }));
  const wanted = page.getByRole("tab", { name, exact: true });
  const tabs = await page.getByRole("tab").allInnerTexts();
  for (const _ of tabs) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Enter");
  await expect(wanted).toHaveAttribute("aria-selected", "true");
}
