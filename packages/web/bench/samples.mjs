import { frames, measuredPage, MOVES, openUntil } from "./frames.mjs";
import { runToEnd } from "./own-server.mjs";
import { heading, row } from "./report.mjs";

const FEW = 300;
const MANY = 10_000;

/** The sample grid of the form. */
export async function measureForm(browser, url) {
  heading(`Form, ${FEW} and ${MANY} samples of four inputs`);
  const { page, session } = await measuredPage(browser);
  const runId = await runCohort(url);
  const grid = page.getByRole("grid", { name: "Samples" });
  const form = `${url}/network/cohort?tab=run&from=${runId}`;
  row("from navigation to the first input", await openUntil(page, form, grid.getByText("image-0.txt")), {
    unit: "ms",
    bar: 1000,
    criterion: `Form of ${FEW} samples: first input ready`,
  });
  await grid.focus();
  await page.keyboard.press("ArrowRight");
  row(`paste of ${FEW} × 4 cells`, await paste(grid, FEW), {
    unit: "ms",
    bar: 200,
    criterion: `Form: paste of ${FEW} × 4 cells`,
  });
  row(`elements with ${FEW} samples`, await page.locator("*").count(), {
    bar: 3000,
    asserted: true,
    criterion: `Form of ${FEW} samples: elements`,
  });
  row(`paste of ${MANY} × 4 cells`, await paste(grid, MANY), { unit: "ms" });
  await scroll({ page, session }, grid);
  await page.close();
}

/** A run of so many samples, whose inputs "Run again" puts into the form. */
function runCohort(url) {
  const each = (make) => Array.from({ length: FEW }, (_, n) => make(n));
  const inputs = {
    images: each((n) => ({ class: "File", basename: `image-${n}.txt`, contents: String(n) })),
    subjects: each((n) => `sub-${n}`),
    ages: each((n) => 20 + (n % 60)),
    groups: each(() => "case"),
  };
  return runToEnd(url, { network: "cohort", inputs });
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
    criterion: `Frames per second, form of ${MANY} samples`,
  });
}
