import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 390] as const;

/** The width of the page beyond the screen, in pixels. */
export function excess(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Checks that a page is accessible and no wider than the screen, on a desktop and on a phone, without a reload. */
export async function expectWellMade(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await resize(page, width);
    await expectFits(page);
    expect(await accessibilityProblems(page), page.url()).toEqual([]);
  }
}

/** Checks that the page is accessible on a desktop, and no wider than the screen on a desktop and on a phone. */
export async function expectAccessibleAndFits(page: Page): Promise<void> {
  await resize(page, WIDTHS[0]);
  await expectFits(page);
  expect(await accessibilityProblems(page), page.url()).toEqual([]);
  await resize(page, WIDTHS[1]);
  await expectFits(page);
}

/** Like `expectWellMade`, in both themes, and also checks the contrast of all visible parts. */
export async function expectWellMadeInEachLook(page: Page): Promise<void> {
  for (const width of WIDTHS)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await resize(page, width);
      await expectFits(page);
      expect(await accessibilityProblems(page, { contrast: true }), page.url()).toEqual([]);
    }
}

export async function expectFits(page: Page): Promise<void> {
  expect(await excess(page), page.url()).toBeLessThanOrEqual(0);
}

/** Waits until the page has loaded everything. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("status", { name: "Loading" }), page.url()).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
}

function resize(page: Page, width: number): Promise<void> {
  return page.setViewportSize({ width, height: width < 768 ? 844 : 860 });
}
