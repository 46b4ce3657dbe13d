// The parts of npm run bench:web; measure.mjs begins it.
import { chromium } from "@playwright/test";
import { LAUNCH_OPTIONS } from "../../tooling/suite/launch-options.ts";
import { DRAFT_STEPS, measureDraft, measureGraph } from "./drawings.mjs";
import { measureFirstPaint } from "./first-paint.mjs";
import { measureGallery } from "./gallery.mjs";
import { measureJobs, measureLog, measureMemory } from "./lists.mjs";
import { measureCohort, writeCohortDataset } from "./cohort.mjs";
import { startServer } from "./own-server.mjs";
import { measurePages } from "./pages.mjs";
import { exitCode, recordCriteria } from "./report.mjs";
import { JOBS, measureRun } from "./real-run.mjs";
import { measureForm } from "./samples.mjs";
import { measureSizes } from "./sizes.mjs";

/** The parts, grouped by the data of their server. */
const SERVERS = [
  { has: {}, parts: { paint: measureFirstPaint, pages: measurePages } },
  { has: { jobs: JOBS }, parts: { run: measureRun } },
  { has: { study: writeCohortDataset }, parts: { cohort: measureCohort } },
  { has: { steps: DRAFT_STEPS }, parts: { draft: measureDraft } },
  {
    has: { steps: 2000 },
    parts: {
      form: measureForm,
      gallery: measureGallery,
      graph: measureGraph,
      jobs: measureJobs,
      log: measureLog,
      memory: measureMemory,
    },
  },
];
const NAMES = new Set(["sizes", ...SERVERS.flatMap(({ parts }) => Object.keys(parts))]);

const asked = process.argv.slice(2).filter((argument) => argument !== "--record");
const isAsked = (name) => asked.length === 0 || asked.includes(name);
const unknown = asked.filter((name) => !NAMES.has(name));
const isRecorded = process.argv.includes("--record");
if (unknown.length > 0 || (isRecorded && asked.length > 0)) {
  console.error(
    unknown.length > 0 ? `bench:web: no part ${unknown.join(", ")}` : "bench:web: --record needs all parts",
  );
  process.exit(2);
}

if (isAsked("sizes")) measureSizes();
for (const { has, parts } of SERVERS) await measureOn(has, parts);
if (isRecorded) recordCriteria();
process.exitCode = exitCode();

async function measureOn(has, parts) {
  const wanted = Object.entries(parts).filter(([name]) => isAsked(name));
  if (wanted.length === 0) return;
  const server = await startServer(has);
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  try {
    for (const [, measure] of wanted) await measure(browser, server.url);
  } finally {
    await browser.close();
    await server.stop();
  }
}
