import { expect, type Page, type Route } from "@playwright/test";
import { startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

/** The bar for a whole page; one line that moves is about a tenth of it. */
const MAX_SHIFT = 0.02;

test("what is read late pushes nothing away that can be read already", async ({ page, request }) => {
  test.setTimeout(120_000);
  const done = await startExample(request, "text-statistics");
  const broken = { class: "File", basename: "sub-01.nii", location: "data:,no image" };
  const data = { network: "imaging-cohort", inputs: { images: [broken] } };
  const failed = (await (await request.post("/api/runs", { data })).json()) as { run_id: string }; // proved by the API's tests
  await waitForEnd(request, done.run_id);
  await waitForEnd(request, failed.run_id);
  await answerOneByOne(page);
  await page.addInitScript(addShiftsUp);
  for (const [path, last] of [
    ["/", "This machine"],
    ["/networks", "Networks"],
    ["/runs", "Runs"],
    ["/network/imaging-cohort", "Imaging cohort"],
    [`/run/${done.run_id}`, "Steps"],
    [`/run/${failed.run_id}`, / failed for sub-01: /],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: last }).first(), path).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await painted(page);
    expect(await page.evaluate(() => Reflect.get(globalThis, "weftShift")), path).toBeLessThanOrEqual(MAX_SHIFT);
  }
});

for (const width of [1280, 390])
  test(`the bar is there before any script has run, and stays where it is, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/static/libraries-*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto("/networks", { waitUntil: "commit" });
    const bar = page.getByRole("banner");
    await expect(bar.locator("img")).toBeVisible();
    // The browser paints nothing before its styles are there, but it answers where things would be.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null),
    );
    const first = [await bar.boundingBox(), await bar.locator("img").boundingBox()];
    release();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const logo = bar.getByRole("link", { name: "Weft" }).locator("svg");
    expect([await bar.boundingBox(), await logo.boundingBox()]).toEqual(first);
  });

/** Each answer of the API is handed on when what came before it has been painted. */
async function answerOneByOne(page: Page): Promise<void> {
  let before: Promise<void> = Promise.resolve();
  const handOn = async (route: Route, earlier: Promise<void>): Promise<void> => {
    const response = await route.fetch();
    await earlier;
    await route.fulfill({ response });
    await painted(page);
  };
  await page.route("**/api/**", async (route) => {
    const mine = handOn(route, before);
    // Where the page has gone on and wants no answer, the next one is not kept from it.
    before = mine.then(undefined, () => undefined);
    await before;
  });
}

function painted(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Runs in the page: how far things have moved that nobody had moved, as browsers reckon it. */
function addShiftsUp(): void {
  let sum = 0;
  Reflect.set(globalThis, "weftShift", sum);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (Reflect.get(entry, "hadRecentInput") !== true) sum += Number(Reflect.get(entry, "value"));
    Reflect.set(globalThis, "weftShift", sum);
  }).observe({ type: "layout-shift", buffered: true });
}
