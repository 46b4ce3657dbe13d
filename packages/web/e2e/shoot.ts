import { join } from "node:path";
import type { Page } from "@playwright/test";

/** With SHOTS=FOLDER: pictures of the page, light and dark, on a screen and on a phone. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder === undefined) return;
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
}
