import { cpuMs, frames, measuredPage, MOVES, sinceNavigation } from "./frames.mjs";
import { routeMadeUpRun } from "./made-up-run.ts";
import { heading, row } from "./report.mjs";

const FEW = 300;
const MANY = 10_000;

/** The sample grid of the form, then that of the run page. */
export async function measureSamples(browser, url) {
  await measureForm(browser, url);
  await measureMatrix(browser, url);
}

async function measureForm(browser, url) {
  heading(`Form, ${FEW} and ${MANY} samples of four inputs`);
  const { page, session } = await measuredPage(browser);
  await page.goto(`${url}/network/cohort?tab=run`);
  const grid = page.getByRole("grid", { name: "Samples" });
  await grid.waitFor();
  row("from navigation to the first input", await sinceNavigation(page), { unit: "ms", bar: 1000 });
  await grid.focus();
  await page.keyboard.press("ArrowRight");
  row(`paste of ${FEW} × 4 cells`, await paste(grid, FEW), { unit: "ms", bar: 200 });
  row(`elements with ${FEW} samples`, await page.locator("*").count(), { bar: 3000, asserted: true });
  row(`paste of ${MANY} × 4 cells`, await paste(grid, MANY), { unit: "ms" });
  await scroll({ page, session }, grid);
  await page.close();
}

async function measureMatrix(browser, url) {
  heading(`Samples of a run, ${MANY} in ten steps`);
  const { page, session } = await measuredPage(browser);
  await routeMadeUpRun(page, { jobs: MANY * 10, samples: MANY });
  const before = await cpuMs(session);
  await page.goto(`${url}/run/bench?tab=samples`);
  const grid = page.getByRole("grid", { name: "Samples" });
  await grid.waitFor();
  row("from navigation to the grid", await sinceNavigation(page), { unit: "ms", bar: 1000 });
  row("opened, whole page: main thread", (await cpuMs(session)) - before, { unit: "ms" });
  await scroll({ page, session }, grid);
  await page.close();
}

/** Until the page has been painted. */
function paste(grid, count) {
  const text = Array.from({ length: count }, (_, n) => `/data/sub-${n}.nii\tsub-${n}\t${20 + (n % 60)}\tcase`).join(
    "\n",
  );
  return grid.evaluate(async (element, pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    const start = performance.now();
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    await new Promise((resolve) => void requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  }, text);
}

async function scroll(parts, grid) {
  await grid.hover();
  await frames(parts, "scroll", (move) => move((n) => parts.page.mouse.wheel(0, n < MOVES / 2 ? 360 : -360)), {
    cpuMs: 16,
  });
}
