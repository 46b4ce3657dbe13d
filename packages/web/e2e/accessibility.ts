import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

/** The browser compiles it for every page that is judged: the minified code takes half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The findings of axe on the page: `rule: selectors`. Contrast takes axe most of its time, and a unit test proves it
 * for all colours (src/ui/colour-contrast.test.ts): only journeys through every page ask for it.
 */
export async function accessibilityProblems(
  page: Page,
  { contrast = false }: { readonly contrast?: boolean } = {},
): Promise<readonly string[]> {
  for (const frame of page.frames()) if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(AXE);
  return page.evaluate(async (enabled) => {
    // Put there above.
    const { axe: judge } = globalThis as unknown as { readonly axe: typeof axe };
    const { violations } = await judge.run({
      resultTypes: ["violations"],
      rules: { "color-contrast": { enabled } },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }, contrast);
}
