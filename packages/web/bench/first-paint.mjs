import { heading, row } from "./report.mjs";

const TRIES = 5;

/** Measures how soon something appears with an empty cache, and how long the page takes to respond to users. */
export async function measureFirstPaint(browser, url) {
  heading(`First paint of /, nothing cached, median of ${TRIES}`);
  const seen = [];
  for (let n = 0; n < TRIES; n += 1) seen.push(await paintOnce(browser, url));
  const median = (name) => seen.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(TRIES / 2)];
  row("first contentful paint", median("first"), { unit: "ms", bar: 800 });
  row("largest contentful paint", median("largest"), { unit: "ms", bar: 1200 });
  row("cumulative layout shift, thousandths", median("shift") * 1000, { bar: 20 });
  await measureInteraction(browser, url);
}

async function paintOnce(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Menu" }).waitFor();
  const seen = await page.evaluate(async () => {
    const entriesOf = (type) =>
      new Promise((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
        observer.observe({ type, buffered: true });
        setTimeout(() => resolve([]), 500);
      });
    const [paints, largest, shifts] = await Promise.all(
      ["paint", "largest-contentful-paint", "layout-shift"].map((type) => entriesOf(type)),
    );
    return {
      first: paints.find(({ name }) => name === "first-contentful-paint")?.startTime ?? 0,
      largest: largest.at(-1)?.startTime ?? 0,
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
    };
  });
  await context.close();
  return seen;
}

/** Runs a one-minute session: pages, search, tabs, typing into the form. */
async function measureInteraction(browser, url) {
  heading("Interaction latency of a session");
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.addInitScript(() => {
    globalThis.benchLatencies = [];
    new PerformanceObserver((list) => {
      for (const { duration, interactionId } of list.getEntries())
        if (interactionId > 0) globalThis.benchLatencies.push(duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  });
  const latencies = [];
  const collect = async () => latencies.push(...(await page.evaluate(() => globalThis.benchLatencies.splice(0))));
  await page.goto(`${url}/network/imaging-cohort`);
  await page.getByRole("group", { name: /^Graph/ }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).pressSequentially("text-statistics");
  await page.keyboard.press("Escape");
  for (const name of ["Inputs & outputs", "Source", "Runs", "Info", "Run"])
    await page.getByRole("tab", { name, exact: true }).click();
  await page.getByRole("button", { name: "Use example" }).click();
  await page.getByRole("menuitem").first().click();
  await page.getByLabel(/^Report title/).pressSequentially("A title of some length");
  for (const name of ["YAML", "JSON", "Form"]) await page.getByRole("button", { name, exact: true }).click();
  for (const name of ["Runs", "Tools", "Networks"])
    await page.getByRole("navigation").getByRole("link", { name, exact: true }).first().click();
  await page.getByRole("searchbox").pressSequentially("cohort");
  await page.waitForTimeout(300);
  await collect();
  const sorted = latencies.toSorted((a, b) => a - b);
  row("worst", sorted.at(-1) ?? 0, { unit: "ms", bar: 200 });
  row("75 % of those above 16 ms", sorted[Math.floor(sorted.length * 0.75)] ?? 0, { unit: "ms", bar: 100 });
  await page.close();
}
