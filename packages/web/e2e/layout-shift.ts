import type { Page, Route } from "@playwright/test";

/** Maximum layout shift of a page; one line that moves is about a tenth of it. */
export const MAX_SHIFT = 0.02;

/** Makes each answer of the API arrive only after the answer before it has been painted. */
export async function answerOneByOne(page: Page): Promise<void> {
  let before: Promise<void> = Promise.resolve();
  const handOn = async (route: Route, earlier: Promise<void>): Promise<void> => {
    const response = await route.fetch();
    await earlier;
    await route.fulfill({ response });
    await painted(page);
  };
  await page.route("**/api/**", async (route) => {
    const mine = handOn(route, before);
    // A page that the user left needs no answer; the next page must still get its own.
    before = mine.then(undefined, () => undefined);
    await before;
  });
  await watchShifts(page);
}

/** Adds up the layout shifts of pages that are opened from now on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(addShiftsUp);
}

/** The layout shift of the page since it was opened, after `answerOneByOne` or `watchShifts`. */
export async function shiftOf(page: Page): Promise<number> {
  await painted(page);
  return page.evaluate(() => Number(Reflect.get(globalThis, "weftShift")));
}

/** Resolves when the page has painted its current state. */
export function painted(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Runs in the page. */
function addShiftsUp(): void {
  let sum = 0;
  Reflect.set(globalThis, "weftShift", sum);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (Reflect.get(entry, "hadRecentInput") !== true) sum += Number(Reflect.get(entry, "value"));
    Reflect.set(globalThis, "weftShift", sum);
  }).observe({ type: "layout-shift", buffered: true });
}
