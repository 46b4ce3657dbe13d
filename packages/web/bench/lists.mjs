import { frames, heapBytes, measuredPage, MOVES, openUntil, sinceNavigation } from "./frames.mjs";
import { routeSyntheticEvents, routeSyntheticRun } from "./synthetic-run.ts";
import { runToEnd } from "./own-server.mjs";
import { heading, row } from "./report.mjs";

const JOBS = 100_000;
const LINES = 1_000_000;
const EVENTS = { warmUp: 10_000, after: 60_000, perSecond: 1000 };

/** The jobs of a run of 100,000 with 100 events a second. */
export async function measureJobs(browser, url) {
  heading(`Jobs, ${JOBS} of them, live`);
  const { page, session } = await measuredPage(browser);
  await routeSyntheticRun(page, { jobs: JOBS, state: "RUNNING" });
  const events = await routeSyntheticEvents(page);
  await page.goto(`${url}/run/bench?tab=jobs`);
  await page.getByRole("table", { name: "Jobs of the run" }).waitFor();
  await frames({ page, session }, "100 events/s", (move) => move((n) => n % 6 === 0 && events.send(10, 100)), {
    criterion: `Frames per second, table of ${JOBS} jobs with 100 events a second`,
  });
  await page.close();
}

/** A log of a million lines, written by a real job: until its end is there, until all of it is counted, scrolled. */
export async function measureLog(browser, url) {
  heading(`Log, ${LINES} lines`);
  const { page, session } = await measuredPage(browser);
  const runId = await runToEnd(url, { tool: "talk", inputs: { lines: LINES } });
  const log = `${url}/run/${runId}?tab=logs&stream=stdout`;
  row("from navigation to the last line", await openUntil(page, log, page.getByText(`${LINES} a line`)), {
    unit: "ms",
  });
  const whole = page.getByRole("region", { name: new RegExp(`, ${LINES} lines`) });
  row("from navigation to all lines counted", await sinceNavigation(page, whole), { unit: "ms" });
  await whole.hover();
  await frames({ page, session }, "scroll", (move) => move((n) => page.mouse.wheel(0, n < MOVES / 2 ? -240 : 240)), {
    cpuMs: 12,
  });
  row("JavaScript heap", (await heapBytes(session)) / 1024 ** 2, { unit: "MiB", bar: 50 });
  await page.close();
}

/** The page of a long run: the memory after tens of thousands of events. */
export async function measureMemory(browser, url) {
  heading(`Memory, ${EVENTS.after} events of a live run`);
  const { page, session } = await measuredPage(browser);
  await routeSyntheticRun(page, { jobs: JOBS, state: "RUNNING" });
  const events = await routeSyntheticEvents(page);
  await page.goto(`${url}/run/bench?tab=jobs`);
  await page.getByRole("table", { name: "Jobs of the run" }).waitFor();
  const send = async (count) => {
    for (let sent = 0; sent < count; sent += EVENTS.perSecond / 10) {
      events.send(EVENTS.perSecond / 10, JOBS);
      await page.waitForTimeout(100);
    }
  };
  await send(EVENTS.warmUp);
  const warm = await heapBytes(session);
  await send(EVENTS.after);
  const later = await heapBytes(session);
  row("heap after the first 10,000", warm / 1024 ** 2, { unit: "MiB" });
  row("growth after that", (later - warm) / 1024 ** 2, { unit: "MiB", bar: 20 });
  await page.close();
}
