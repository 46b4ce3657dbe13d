import { accessibilityProblems } from "../e2e/accessibility.ts";
import { PAGES, RUN_TABS } from "../e2e/all-pages.ts";
import { answerOneByOne, MAX_SHIFT, shiftOf } from "../e2e/layout-shift.ts";
import { runToEnd } from "./own-server.mjs";
import { heading, row } from "./report.mjs";

/** Accessibility, layout shift and Content-Security-Policy on every page. */
export async function measurePages(browser, url) {
  const { examples } = await (await fetch(`${url}/api/networks/imaging-cohort`)).json();
  const runId = await runToEnd(url, { network: "imaging-cohort", inputs: examples[0].inputs });
  const paths = [...PAGES.map(({ path }) => path), ...RUN_TABS.map((tab) => `/run/${runId}?tab=${tab}`), "/nowhere"];
  heading(`All ${paths.length} pages`);
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const broken = await watchRequests(page, url);
  await answerOneByOne(page);
  const shifts = [];
  let access = 0;
  for (const path of paths) {
    await page.goto(url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("status", { name: "Loading" }).waitFor({ state: "detached" });
    shifts.push({ path, shift: await shiftOf(page) });
    access += (await accessibilityProblems(page)).length;
  }
  const worst = shifts.toSorted((a, b) => b.shift - a.shift)[0];
  row(`layout shift of the worst page, ${worst.path.replace(runId, "…")}`, worst.shift, {
    bar: MAX_SHIFT,
    criterion: `Layout shift (CLS) of the worst of ${paths.length} pages`,
  });
  row("accessibility (axe)", access, {
    bar: 0,
    asserted: true,
    criterion: `Violations (axe) on ${paths.length} pages`,
  });
  row("Content-Security-Policy", broken.policy, { bar: 0, asserted: true });
  row("requests to other origins", broken.foreign, { bar: 0, asserted: true });
  await context.close();
}

/** Counts what the page must not do. */
async function watchRequests(page, url) {
  const broken = { policy: 0, foreign: 0 };
  await page.exposeFunction("benchPolicyBroken", () => (broken.policy += 1));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", () => void globalThis.benchPolicyBroken());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) broken.foreign += 1;
  });
  return broken;
}
