import { frames, heapBytes, measuredPage, MOVES, openUntil } from "./frames.mjs";
import { routeSyntheticResults } from "./synthetic-results.ts";
import { routeSyntheticRun } from "./synthetic-run.ts";
import { heading, row } from "./report.mjs";

const SAMPLES = 10_000;

/** The results of 10,000 samples: opened, scrolled through, and as the contact sheet of one output. */
export async function measureGallery(browser, url) {
  heading(`Gallery, ${SAMPLES} samples`);
  const { page, session } = await measuredPage(browser);
  await routeSyntheticRun(page, { jobs: 1 });
  await routeSyntheticResults(page, SAMPLES);
  const grid = page.getByRole("grid", { name: "Results by sample" });
  const first = grid.getByRole("rowheader", { name: "sub-0" });
  row("from navigation to the first sample", await openUntil(page, `${url}/run/bench?tab=outputs`, first), {
    unit: "ms",
  });
  const scroll = async (label, criterion) => {
    await grid.hover();
    await frames({ page, session }, label, (move) => move((n) => page.mouse.wheel(0, n < MOVES / 2 ? 240 : -240)), {
      cpuMs: 14,
      criterion,
    });
  };
  await scroll("scroll", `Frames per second, gallery of ${SAMPLES} samples`);
  await page.getByRole("combobox", { name: "Output" }).selectOption("plot");
  await scroll("contact sheet: scroll", `Frames per second, contact sheet of ${SAMPLES} samples`);
  // All the way down and back, resting now and then.
  for (let part = 1; part <= 20; part += 1) {
    await grid.evaluate((box, share) => void (box.scrollTop = box.scrollHeight * share), part / 20);
    await page.waitForTimeout(300);
  }
  row("JavaScript heap after 20 places", (await heapBytes(session)) / 1024 ** 2, { unit: "MiB", bar: 50 });
  row("elements of the page", await page.evaluate(() => document.querySelectorAll("*").length), { bar: 3000 });
  await page.close();
}
