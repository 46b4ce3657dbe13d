// Starts runs in every state, for the development of pages: through the API, executed by the engine, from the shipped
// catalog. Each has the tag `demo`; a run that already exists is not started again.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";

const POLL_MS = 250;
/** Maximum time for a server to build its first view of the catalog. */
const READY_WITHIN_MS = 60_000;

const NO_IMAGE = { class: "File", basename: "sub-03.nii", location: "data:,this is not an image" };

/**
 * `demo` is the tag. `body` builds the request from the networks' examples. `afterwards` brings the run into its state.
 * `keep: "open"`: the run must be unfinished.
 */
export const DEMO_RUNS = [
  { demo: "complete", body: example("imaging-cohort", {}) },
  { demo: "complete-small", body: example("text-statistics", {}) },
  {
    demo: "failed",
    body: example("imaging-cohort", { images: replaceThird }, { on_failure: "finish_running" }),
  },
  {
    demo: "partial",
    body: example("phantom-cohort", { lesions: (lesions) => lesions.with(2, -1) }, { on_failure: "continue" }),
  },
  {
    demo: "retried",
    body: example("practice-load", { count: () => 3, seconds: () => 0.2, fail_index: () => 1 }, { retries: 1 }),
  },
  {
    demo: "canceled",
    body: example("practice-load", { count: () => 20, seconds: () => 30 }),
    afterwards: abortOnceRunning,
  },
  {
    demo: "running",
    keep: "open",
    body: example("practice-load", { count: () => 200, seconds: () => 10 }),
  },
  {
    demo: "waiting",
    keep: "open",
    body: example("practice-load", { count: () => 60, seconds: () => 20 }, { max_parallel_jobs: 1 }),
  },
];

function replaceThird(images) {
  return images.with(2, NO_IMAGE);
}

/** The first example of a network with some of its inputs changed. */
function example(network, changes, options) {
  return (networks) => {
    const { inputs } = networks.get(network).examples[0];
    const changed = Object.entries(changes).map(([id, change]) => [id, change(inputs[id])]);
    return { network, inputs: { ...inputs, ...Object.fromEntries(changed) }, ...(options && { options }) };
  };
}

/** Starts missing runs; returns the tags of the started ones. Throws if the server refuses one. */
export async function seedDemoRuns(url) {
  await untilReady(url);
  const networks = new Map();
  const started = [];
  for (const demo of DEMO_RUNS) {
    // One after another, because the lists sort runs by their start.
    if (await exists(url, demo)) continue;
    for (const id of ["imaging-cohort", "text-statistics", "phantom-cohort", "practice-load"])
      if (!networks.has(id)) networks.set(id, await ask(`${url}/api/networks/${id}`));
    const body = { ...demo.body(networks), name: `Demo: ${demo.demo}`, tags: { demo: demo.demo } };
    const run = await ask(`${url}/api/runs`, { method: "POST", body: JSON.stringify(body) });
    await demo.afterwards?.(url, run.run_id);
    // Unfinished runs use all free cores, so they come last.
    if (demo.keep !== "open") await untilEnded(url, run.run_id);
    started.push(demo.demo);
  }
  return started;
}

async function exists(url, { demo, keep }) {
  const state = keep === "open" ? "&state=QUEUED,INITIALIZING,RUNNING,PAUSED" : "";
  const { runs } = await ask(`${url}/api/runs?page_size=1&tag=demo:${demo}${state}`);
  return runs.length > 0;
}

async function abortOnceRunning(url, runId) {
  for (;;) {
    const { job_counts: counts, state } = await ask(`${url}/api/runs/${runId}/status`);
    if ((counts.RUNNING ?? 0) > 0 || (counts.COMPLETE ?? 0) > 1) break;
    if (/ERROR|CANCELED|COMPLETE/.test(state)) return;
    await pause(POLL_MS);
  }
  await ask(`${url}/api/runs/${runId}`, { method: "DELETE" });
}

async function untilEnded(url, runId) {
  while ((await ask(`${url}/api/runs/${runId}`)).end_time === null) await pause(POLL_MS);
}

async function untilReady(url) {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > until) throw new Error(`the server at ${url} did not become ready`);
    await pause(POLL_MS);
  }
}

async function ask(url, init) {
  const response = await fetch(url, { ...init, headers: { "content-type": "application/json" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${init?.method ?? "GET"} ${url}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [url = "http://127.0.0.1:8080"] = parseArgs({ allowPositionals: true }).positionals;
  const started = await seedDemoRuns(url);
  console.error(
    started.length === 0 ? "weft: all demonstration runs exist already" : `weft: started ${started.join(", ")}`,
  );
}
