import { middleOf } from "./drawings.mjs";
import { cpuMs, frames, measuredPage, MOVES, openUntil, sinceNavigation } from "./frames.mjs";
import { heading, row } from "./report.mjs";

export const JOBS = 100_000;
const OPENINGS = 5;

/** A run of 100,000 jobs in the log of a real server: opened, and each of its long views scrolled. */
export async function measureRun(browser, url) {
  const { runs } = await (await fetch(`${url}/api/runs`)).json();
  const run = `${url}/run/${runs[0].run_id}`;
  heading(`Run of ${JOBS} jobs`);
  await measureOpening(browser, run);
  await measureJobTable(browser, run);
  await measureMatrix(browser, run);
  await measureTimeline(browser, run);
}

/** Until the page says what failed. */
async function measureOpening(browser, run) {
  const [times, work] = [[], []];
  for (let n = 0; n < OPENINGS; n += 1) {
    const { page, session } = await measuredPage(browser);
    times.push(await openUntil(page, run, page.getByRole("heading", { name: / failed/ })));
    work.push(await cpuMs(session));
    await page.close();
  }
  const [first] = times;
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(OPENINGS / 2)];
  row("from navigation to what failed, first time", first, { unit: "ms" });
  row("from navigation to what failed, median", median(times), {
    unit: "ms",
    bar: 1000,
    criterion: `Run of ${JOBS} jobs: from navigation to what failed`,
  });
  row("from navigation to what failed: main thread, median", median(work), { unit: "ms" });
}

async function measureJobTable(browser, run) {
  const { page, session } = await measuredPage(browser);
  const table = page.getByRole("table", { name: "Jobs of the run" });
  // Failed jobs come first.
  const first = table.locator("tbody button").first();
  row("from navigation to the first jobs", await openUntil(page, `${run}?tab=jobs`, first), { unit: "ms", bar: 1000 });
  await table.hover();
  await frames({ page, session }, "jobs, scroll", wheel(page, 240), {
    cpuMs: 12,
    criterion: `Frames per second, table of ${JOBS} jobs`,
  });
  await page.close();
}

async function measureMatrix(browser, run) {
  const { page, session } = await measuredPage(browser);
  const grid = page.getByRole("grid", { name: "Samples" });
  row("from navigation to the samples", await openUntil(page, `${run}?tab=samples`, grid), { unit: "ms", bar: 1000 });
  const samples = Number(await grid.getAttribute("aria-rowcount")) - 1;
  await grid.hover();
  await frames({ page, session }, `${samples} samples, scroll`, wheel(page, 360), {
    cpuMs: 16,
    criterion: `Frames per second, ${samples} samples of a run`,
  });
  await page.close();
}

async function measureTimeline(browser, run) {
  const { page, session } = await measuredPage(browser);
  const bars = page.getByRole("img", { name: /^Bars of/ });
  row("from navigation to the bars", await openUntil(page, `${run}?tab=timeline`, bars), { unit: "ms" });
  // The critical path is computed after the bars are drawn.
  const path = page.getByRole("heading", { name: "Critical path" });
  row("from navigation to the critical path", await sinceNavigation(page, path), { unit: "ms" });
  await middleOf(page, bars);
  await frames({ page, session }, "timeline, zoom", wheel(page, -60), {
    cpuMs: 14,
    criterion: `Frames per second, timeline of ${JOBS} jobs`,
  });
  await page.close();
}

/** There and back. */
function wheel(page, step) {
  return (move) => move((n) => page.mouse.wheel(0, n < MOVES / 2 ? step : -step));
}
