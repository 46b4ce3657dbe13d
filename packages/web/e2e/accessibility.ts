import type { Page } from "@playwright/test";
import axe from "axe-core";

/** What axe finds wrong with the page, and where: `rule: selectors`. Asked again, it needs only a fraction of the time. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(axe.source);
  return page.evaluate(async () => {
    // Put there above.
    const { axe: judge } = globalThis as unknown as { readonly axe: typeof axe };
    const { violations } = await judge.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
}
