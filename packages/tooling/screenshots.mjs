// npm run screenshots -- FOLDER [VIEW…]: starts a server with demonstration runs and saves the main views at three widths in
// both themes, for review. `--width N` and `--theme light|dark` draw fewer. FOLDER must be outside the checkout.
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensureBrowser } from "./suite/browser.mjs";
import { ensureDebianPackages } from "./suite/debian.mjs";
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";
import { onPinnedNode } from "./reliability/on-pinned-node.mjs";

const WIDTHS = [390, 1440, 2560];
const THEMES = ["light", "dark"];
const HEIGHTS = new Map([
  [390, 844],
  [1440, 900],
  [2560, 1440],
]);
const SEED_WITHIN_MS = 300_000;
const SETTLE_MS = 400;

/** The main views, each the path of a page; `runs` has the ids of the demonstration runs. */
const VIEWS = {
  dashboard: () => "/",
  runs: () => "/runs",
  succeeded: (runs) => `/run/${runs.succeeded}`,
  failed: (runs) => `/run/${runs.failed}`,
  running: (runs) => `/run/${runs.running}`,
  graph: (runs) => `/run/${runs.failed}?tab=graph`,
  samples: (runs) => `/run/${runs.many}?tab=samples`,
  jobs: (runs) => `/run/${runs.many}?tab=jobs`,
  timeline: (runs) => `/run/${runs.many}?tab=timeline`,
  outputs: (runs) => `/run/${runs.succeeded}?tab=outputs`,
  form: (runs) => `/network/text-statistics?tab=run&from=${runs.many}`,
  compare: (runs) => `/runs?compare=${runs.succeeded},${runs.failed}`,
};

/** Views that are saved only if they are named on the command line. */
const MORE_VIEWS = {
  logs: (runs) => `/run/${runs.failed}?tab=logs`,
  inputs: (runs) => `/run/${runs.succeeded}?tab=inputs`,
  provenance: (runs) => `/run/${runs.succeeded}?tab=prov`,
  networks: () => "/networks",
  network: () => "/network/imaging-cohort",
  server: () => "/server",
  swagger: () => "/api/doc/",
};

/**
 * Starts one succeeded and one failed run of six samples, one of 300, and one that keeps running; returns their IDs.
 */
async function seedViews(url) {
  const cohort = await ask(`${url}/api/networks/imaging-cohort`);
  const { inputs } = cohort.examples[0];
  const broken = { class: "File", basename: "sub-03.nii", location: "data:,this is not an image" };
  const bodies = {
    succeeded: { network: "imaging-cohort", inputs },
    failed: { network: "imaging-cohort", inputs: { ...inputs, images: inputs.images.with(2, broken) } },
    many: { network: "text-statistics", inputs: { texts: manyTexts(300) } },
    running: { network: "practice-load", inputs: { count: 200, seconds: 30 } },
  };
  const runs = {};
  for (const [name, body] of Object.entries(bodies)) {
    const run = await ask(`${url}/api/runs`, { method: "POST", body: JSON.stringify(body) });
    runs[name] = run.run_id;
    await untilReached(url, run.run_id, name === "running" ? ({ job_counts: counts }) => counts.RUNNING > 0 : hasEnded);
  }
  return runs;
}

function manyTexts(count) {
  return Array.from({ length: count }, (_, index) => ({
    class: "File",
    basename: `sub-${String(index + 1).padStart(3, "0")}.txt`,
    contents: `subject ${index + 1} slept well and slept long\n`,
  }));
}

const hasEnded = ({ state }) => /COMPLETE|ERROR|CANCELED/.test(state);

async function untilReached(url, runId, isReached) {
  const until = Date.now() + SEED_WITHIN_MS;
  while (!isReached(await ask(`${url}/api/runs/${runId}/status`))) {
    if (Date.now() > until) throw new Error(`run ${runId} did not reach the expected state`);
    await pause(250);
  }
}

async function ask(url, init) {
  const response = await fetch(url, { ...init, headers: { "content-type": "application/json" } });
  if (!response.ok) throw new Error(`${init?.method ?? "GET"} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Saves one view; prints the height and width that the page reports. */
async function shoot(page, { url, path, file }) {
  await page.goto(url + path, { waitUntil: "load" });
  await page.locator("h1, .info .title").first().waitFor();
  await page
    .getByRole("status", { name: "Loading" })
    .first()
    .waitFor({ state: "detached", timeout: 15_000 })
    .catch(() => undefined);
  await pause(SETTLE_MS);
  await page.screenshot({ path: file });
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth - innerWidth,
    height: document.documentElement.scrollHeight,
  }));
  console.log(`${file}  ${height} px high${width > 0 ? `, ${width} px too wide` : ""}`);
}

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { width: { type: "string" }, theme: { type: "string" } },
  });
  const [folder, ...names] = positionals;
  if (folder === undefined || resolve(folder).startsWith(ROOT)) {
    console.error("usage: npm run screenshots -- FOLDER [VIEW…]   (a folder outside of the checkout)");
    process.exit(2);
  }
  const all = { ...VIEWS, ...MORE_VIEWS };
  const views = names.length === 0 ? VIEWS : Object.fromEntries(names.map((name) => [name, all[name]]));
  ensureInstalled();
  onPinnedNode();
  ensureBuilt();
  await ensureDebianPackages("browser");
  ensureBrowser();
  const { chromium } = await import("@playwright/test");
  const { LAUNCH_OPTIONS } = await import("./suite/launch-options.ts");
  const { startServer } = await import("../web/bench/own-server.mjs");
  await mkdir(folder, { recursive: true });
  const server = await startServer();
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  try {
    const runs = await seedViews(server.url);
    for (const width of values.width === undefined ? WIDTHS : [Number(values.width)])
      for (const colorScheme of values.theme === undefined ? THEMES : [values.theme]) {
        const viewport = { width, height: HEIGHTS.get(width) ?? 900 };
        const page = await browser.newPage({ viewport, colorScheme });
        for (const [name, pathOf] of Object.entries(views)) {
          const file = join(folder, `${name}-${width}-${colorScheme}.png`);
          await shoot(page, { url: server.url, path: pathOf(runs), file });
        }
        await page.close();
      }
  } finally {
    await browser.close();
    await server.stop();
  }
}

await main();
