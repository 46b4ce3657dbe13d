import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 390] as const;

/** Does something in each theme and width; the page stays the same, as it does for who turns a phone. */
export async function eachLook(page: Page, act: () => Promise<void>): Promise<void> {
  for (const width of WIDTHS)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: width < 768 ? 844 : 860 });
      await act();
    }
}

/** How far the page is wider than the screen. */
export function excess(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

export async function expectWellMade(page: Page): Promise<void> {
  await settled(page);
  await eachLook(page, () => expectFits(page));
}

/** Accessible, and no wider than the screen. */
export async function expectFits(page: Page): Promise<void> {
  expect(await excess(page), page.url()).toBeLessThanOrEqual(0);
  expect(await accessibilityProblems(page), page.url()).toEqual([]);
}

/** Nothing is being read any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
}
