import { frames, measuredPage, MOVES, openUntil, sinceNavigation } from "./frames.mjs";
import { routeSyntheticEvents, routeSyntheticRun } from "./synthetic-run.ts";
import { heading, row } from "./report.mjs";

const STEPS = 2000;
export const DRAFT_STEPS = 200;

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
  await routeSyntheticRun(page, { jobs: STEPS, state: "RUNNING" });
  const events = await routeSyntheticEvents(page);
  await page.goto(`${url}/run/bench?tab=graph`);
  await graph.waitFor();
  await frames({ page, session }, "100 events/s", (move) => move((n) => n % 6 === 0 && events.send(10, STEPS)), {
    cpuMs: 10,
  });
  await page.close();
}

/** The draft of a network of 200 steps: panning, zooming, dragging a line, and a gesture that changes the text. */
export async function measureDraft(browser, url) {
  heading(`Drawing of a draft, ${DRAFT_STEPS} steps`);
  const body = JSON.stringify({ kind: "network", id: "large", based_on: "unversioned" });
  const headers = { "content-type": "application/json" };
  const made = await (await fetch(`${url}/api/drafts`, { method: "POST", headers, body })).json();
  const { page, session } = await measuredPage(browser);
  const step = page.locator("[data-path]").first();
  row("from navigation to the drawing", await openUntil(page, `${url}/drafts/${made.draft_id}`, step), { unit: "ms" });
  const graph = page.getByRole("group", { name: /^Graph/ });
  const { x, y } = await middleOf(page, graph);
  await frames({ page, session }, "wheel", (move) => move((n) => page.mouse.wheel(0, n < MOVES / 2 ? -60 : 60)), {
    criterion: `Frames per second, zooming the drawing of ${DRAFT_STEPS} steps`,
  });
  await page.mouse.wheel(0, -600);
  await dragFrom(page, session, { label: "pan", at: { x, y: y + 110 } });
  await page.getByRole("button", { name: "Fit to screen" }).click();
  // Steps show their ports if there is enough space.
  const port = page.locator("[data-connect]").first();
  await page.mouse.move(x, y);
  for (let turns = 0; turns < 40 && !(await port.isVisible()); turns += 1) {
    if (await step.isVisible()) await middleOf(page, step);
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(100);
  }
  const at = await middleOf(page, port);
  await dragFrom(page, session, {
    label: "line",
    at,
    criterion: `Frames per second, dragging a line among ${DRAFT_STEPS} steps`,
  });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add input" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("added");
  await page.getByRole("dialog").getByRole("button", { name: "Add input" }).click();
  const before = await page.evaluate(() => performance.now());
  const shown = await sinceNavigation(page, page.getByRole("heading", { level: 2, name: "added" }));
  row("a new input, from the click to the drawing", shown - before, { unit: "ms" });
  await page.close();
}

/** Presses at a place and moves around with the button down. */
async function dragFrom(page, session, { label, at, criterion }) {
  const act = async (move) => {
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await move((n) => page.mouse.move(at.x + Math.sin(n / 10) * 200, at.y + Math.cos(n / 10) * 80));
    await page.mouse.up();
  };
  await frames({ page, session }, label, act, { criterion });
}
