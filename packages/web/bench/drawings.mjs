import { frames, measuredPage, MOVES, openUntil } from "./frames.mjs";
import { routeMadeUpEvents, routeMadeUpRun } from "./made-up-run.ts";
import { heading, row } from "./report.mjs";

const STEPS = 2000;

/** Moves the pointer to the middle of an element. */
export async function middleOf(page, locator) {
  const box = await locator.boundingBox();
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(at.x, at.y);
  return at;
}

/** The network of 2,000 steps: from navigation to the picture, dragging, zooming, and with 100 events a second. */
export async function measureGraph(browser, url) {
  heading(`Graph, ${STEPS} steps`);
  const { page, session } = await measuredPage(browser);
  const graph = page.getByRole("group", { name: /^Graph/ });
  row("from navigation to the graph", await openUntil(page, `${url}/network/large`, graph), { unit: "ms" });
  const at = await middleOf(page, graph);
  await frames(
    { page, session },
    "drag",
    async (move) => {
      await page.mouse.move(at.x + 300, at.y);
      await page.mouse.down();
      await move((n) => page.mouse.move(at.x + 300 - n * 6, at.y + Math.sin(n / 8) * 60));
      await page.mouse.up();
    },
    { cpuMs: 6 },
  );
  await frames({ page, session }, "wheel", (move) => move((n) => page.mouse.wheel(0, n < MOVES / 2 ? 60 : -60)));
  await routeMadeUpRun(page, { jobs: STEPS, state: "RUNNING" });
  const events = await routeMadeUpEvents(page);
  await page.goto(`${url}/run/bench?tab=graph`);
  await graph.waitFor();
  await frames({ page, session }, "100 events/s", (move) => move((n) => n % 6 === 0 && events.send(10, STEPS)), {
    cpuMs: 10,
  });
  await page.close();
}
