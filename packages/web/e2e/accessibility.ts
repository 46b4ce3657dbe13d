import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

/** The browser compiles axe for every page that is checked: the minified code takes half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The findings of axe on the page: `rule: selectors`. Checking contrast takes axe most of its time, and a unit test
 * checks it for all colors (src/ui/color-contrast.test.ts): only journeys through every page request this check.
 */
export async function accessibilityProblems(
  page: Page,
  { contrast = false }: { readonly contrast?: boolean } = {},
): Promise<readonly string[]> {
  for (const frame of page.frames()) if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(AXE);
  return page.evaluate(async (enabled) => {
    // Added to the page above.
    const { axe: judge } = globalThis as unknown as { readonly axe: typeof axe };
    const { violations } = await judge.run({
      resultTypes: ["violations"],
      rules: { "color-contrast": { enabled } },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }, contrast);
}
