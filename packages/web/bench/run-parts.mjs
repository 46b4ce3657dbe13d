// The parts of npm run bench:web; measure.mjs begins it.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { measureGraph, measureTimeline } from "./drawings.mjs";
import { measureFirstPaint } from "./first-paint.mjs";
import { measureGallery } from "./gallery.mjs";
import { measureJobs, measureLog, measureMemory } from "./lists.mjs";
import { startServer } from "./own-server.mjs";
import { exitCode } from "./report.mjs";
import { measureSamples } from "./samples.mjs";
import { measureSizes } from "./sizes.mjs";
import { countViolations } from "./violations.mjs";

const SHIPPED = { violations: countViolations, paint: measureFirstPaint };
const LARGE = {
  graph: measureGraph,
  timeline: measureTimeline,
  gallery: measureGallery,
  jobs: measureJobs,
  samples: measureSamples,
  log: measureLog,
  memory: measureMemory,
};
const STEPS = 2000;

const asked = process.argv.slice(2);
const isAsked = (name) => asked.length === 0 || asked.includes(name);
const unknown = asked.filter((name) => name !== "sizes" && !(name in SHIPPED) && !(name in LARGE));
if (unknown.length > 0) {
  console.error(`bench:web: no part is called ${unknown.join(", ")}`);
  process.exit(2);
}

if (isAsked("sizes")) measureSizes();
await measureOn(SHIPPED, undefined);
await measureOn(LARGE, STEPS);
process.exitCode = exitCode();

async function measureOn(parts, steps) {
  const wanted = Object.entries(parts).filter(([name]) => isAsked(name));
  if (wanted.length === 0) return;
  const server = await startServer(steps);
  const executablePath = existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const [, measure] of wanted) await measure(browser, server.url);
  } finally {
    await browser.close();
    await server.stop();
  }
}
