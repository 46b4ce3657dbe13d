import { row } from "./report.mjs";

export const MOVES = 90;

/** Lets something happen once per painted frame; prints how long frames and the work for them took. */
export async function frames({ page, session }, label, act, bars = {}) {
  await page.evaluate(() => {
    globalThis.benchFrames = [];
    const tick = (now) => {
      globalThis.benchFrames.push(now);
      globalThis.benchHandle = requestAnimationFrame(tick);
    };
    globalThis.benchHandle = requestAnimationFrame(tick);
  });
  const before = await cpuMs(session);
  await act(async (move) => {
    for (let n = 0; n < MOVES; n += 1) {
      await move(n);
      await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(resolve)));
    }
  });
  const cpu = (await cpuMs(session)) - before;
  const times = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.benchHandle);
    return globalThis.benchFrames;
  });
  const gaps = times
    .slice(1)
    .map((time, place) => time - times[place])
    .toSorted((a, b) => a - b);
  row(`${label}: main thread per frame`, cpu / gaps.length, { unit: "ms", bar: bars.cpuMs });
  row(`${label}: frame, median`, gaps[Math.floor(gaps.length / 2)], { unit: "ms" });
  row(`${label}: frame, 95 %`, gaps[Math.floor(gaps.length * 0.95)], { unit: "ms" });
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

export function sinceNavigation(page) {
  return page.evaluate(() => performance.now());
}

/** A page of its own whose processor time is counted. */
export async function measuredPage(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return { page, session };
}
