import { row } from "./report.mjs";

export const MOVES = 90;
/** A screen shows 60 frames a second. */
const LEAST_RATE = 55;
const LONGEST_WAIT_MS = 120_000;

/**
 * Moves something once per painted frame; prints how long frames and the work for them took. With a `criterion`, the rate
 * counts for it, and its row adds the rate of a blank page, because other work on the machine slows down both.
 */
export async function frames({ page, session }, label, act, { cpuMs: bar, criterion } = {}) {
  const blankRate = criterion === undefined ? undefined : await rateOfBlankPage(page.context().browser());
  const before = await cpuMs(session);
  const gaps = await frameGaps(page, act);
  const cpu = (await cpuMs(session)) - before;
  const sorted = gaps.toSorted((a, b) => a - b);
  row(`${label}: main thread per frame`, cpu / gaps.length, { unit: "ms", bar });
  row(`${label}: frame, median`, sorted[Math.floor(gaps.length / 2)], { unit: "ms" });
  row(`${label}: frame, 95 %`, sorted[Math.floor(gaps.length * 0.95)], { unit: "ms" });
  row(`${label}: frames per second`, rateOf(gaps), {
    least: LEAST_RATE,
    criterion,
    note: blankRate === undefined ? "" : `a blank page: ${blankRate.toFixed(1)}`,
  });
}

async function rateOfBlankPage(browser) {
  const page = await browser.newPage();
  const gaps = await frameGaps(page, (move) => move((n) => page.mouse.wheel(0, n % 2 === 0 ? 120 : -120)));
  await page.close();
  return rateOf(gaps);
}

/** Milliseconds between the frames that a page paints while something happens. */
async function frameGaps(page, act) {
  await page.evaluate(() => {
    globalThis.benchFrames = [];
    const tick = (now) => {
      globalThis.benchFrames.push(now);
      globalThis.benchHandle = requestAnimationFrame(tick);
    };
    globalThis.benchHandle = requestAnimationFrame(tick);
  });
  await act(async (move) => {
    for (let n = 0; n < MOVES; n += 1) {
      await move(n);
      await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(resolve)));
    }
  });
  const times = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.benchHandle);
    return globalThis.benchFrames;
  });
  return times.slice(1).map((time, place) => time - times[place]);
}

function rateOf(gaps) {
  return (gaps.length * 1000) / gaps.reduce((sum, gap) => sum + gap, 0);
}

/** Time that the page's main thread has worked, in ms of processor time. */
export async function cpuMs(session) {
  return (await metric(session, "TaskDuration")) * 1000;
}

/** Bytes of JavaScript that are still reachable. */
export async function heapBytes(session) {
  await session.send("HeapProfiler.collectGarbage");
  return metric(session, "JSHeapUsedSize");
}

async function metric(session, wanted) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === wanted).value;
}

/**
 * Opens a page; returns the milliseconds from navigation until something is visible. It checks once per frame, because
 * Playwright's own waits soon check only every 500 ms, which would lengthen the times.
 */
export async function openUntil(page, url, locator) {
  await page.goto(url, { waitUntil: "commit" });
  return sinceNavigation(page, locator);
}

export async function sinceNavigation(page, locator) {
  const endMs = Date.now() + LONGEST_WAIT_MS;
  while (!(await locator.isVisible())) {
    if (Date.now() > endMs) throw new Error(`not visible after ${LONGEST_WAIT_MS} ms: ${String(locator)}`);
    await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(resolve)));
  }
  return page.evaluate(() => performance.now());
}

/** Opens a separate page whose processor time is counted. */
export async function measuredPage(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return { page, session };
}
