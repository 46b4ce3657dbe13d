import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { scatterNetwork } from "./scatter-network.mjs";
import { ask, processorMs } from "./serving.mjs";
import { startInstalled } from "./measure.mjs";

/** Number of runs that are open at the same time if there are many. */
const OPEN_RUNS = 10;
const PROBE_MS = 100;
const IDLE_PROBES = 100;

/**
 * Runs many trivial jobs, in one run or in many, and measures the cost of each as their number grows: time, memory
 * and response times. Prints each figure with its bar.
 */
export async function benchScale(folder, { jobs, runs }) {
  const server = await startScaleServer(join(folder, "scale"), jobs, runs);
  const network = { address: server.address, jobs, runs };
  try {
    await server.runToEnd(bodyOf(0, 100));
    const idle = await probe(server, `/api/runs?page_size=50`, IDLE_PROBES);
    const watch = watchServer(server);
    const ids = runs === 1 ? [await runOne(server, network, watch)] : await runMany(server, network, watch);
    const seen = watch.stop();
    printTimes(seen, { jobs: jobs * runs, idle });
    await printAnswers(server, ids.at(-1));
  } finally {
    await server.stop();
  }
}

async function startScaleServer(folder, jobs, runs) {
  const network = join(folder, "catalog/networks/scatter");
  mkdirSync(network, { recursive: true });
  writeFileSync(join(network, "scatter.cwl"), JSON.stringify(scatterNetwork()));
  const limits = [`jobs-per-scatter=${jobs + 100}`, `request-values=${jobs * 2 + 1000}`];
  const server = await startInstalled([
    ...["--state", join(folder, "state"), "--catalog", join(folder, "catalog"), "--sandbox", "none"],
    ...["--max-open-runs", String(OPEN_RUNS + 10), "--write-rate", "1000", "--read-rate", "10000"],
    ...limits.flatMap((limit) => ["--limit", limit]),
  ]);
  console.log(`${runs} × ${jobs} jobs of echo on a server, sandbox off`);
  return server;
}

/** No number occurs twice, because equal jobs share their results. */
function bodyOf(first, count) {
  return { network: "scatter", inputs: { numbers: Array.from({ length: count }, (_, index) => first + index) } };
}

async function runOne({ address, runToEnd }, { jobs }, watch) {
  const ended = runToEnd(bodyOf(1_000_000, jobs), { askEveryMs: 500 });
  const runId = await newestRun(address);
  watch.follow([runId], async () => (await readJson(`${address}/api/runs/${runId}`)).job_counts.COMPLETE ?? 0);
  await ended;
  return runId;
}

/** The run that the request has just created. */
async function newestRun(address) {
  for (;;) {
    const { runs } = await readJson(`${address}/api/runs?page_size=2`);
    if (runs.length > 1) return runs[0].run_id;
    await pause(PROBE_MS);
  }
}

async function runMany({ runToEnd }, { jobs, runs }, watch) {
  const ids = [];
  let next = 0;
  watch.follow(ids, async () => ids.length * jobs);
  const worker = async () => {
    while (next < runs) ids.push((await runToEnd(bodyOf(1_000_000 + next++ * jobs, jobs))).run_id);
  };
  await Promise.all(Array.from({ length: Math.min(OPEN_RUNS, runs) }, worker));
  return ids;
}

/** Watches memory and progress until `stop`, and sends the requests that pages send. */
function watchServer({ address, pid }) {
  const samples = [];
  const slow = [];
  const times = [];
  let [runIds, ended, isOver] = [[], async () => 0, false];
  const loop = (async () => {
    while (!isOver) {
      const runId = runIds.at(-1);
      const paths = ["/api/runs?page_size=50", "/api/server"];
      if (runId !== undefined)
        paths.push(...["", "/status", "/jobs?page_size=100"].map((of) => `/api/runs/${runId}${of}`));
      for (const path of paths) {
        const startMs = performance.now();
        await (await ask(address + path)).arrayBuffer();
        const tookMs = performance.now() - startMs;
        times.push(tookMs);
        if (tookMs > 300) slow.push(`${path.replace(runId, "…")} ${tookMs.toFixed(0)} ms`);
      }
      samples.push({ ms: performance.now(), cpuMs: processorMs(pid), jobs: await ended(), mib: memoryMib(pid) });
      await pause(PROBE_MS);
    }
  })();
  return {
    follow: (ids, count) => ([runIds, ended] = [ids, count]),
    stop() {
      isOver = true;
      loop.catch(() => undefined);
      return { samples, times, slow };
    },
  };
}

async function readJson(url) {
  return (await ask(url)).json();
}

function memoryMib(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

function printTimes({ samples, times, slow }, { jobs, idle }) {
  const perJob = (from, to, key) => {
    const [a, b] = [from, to].map((share) => samples.find((sample) => sample.jobs >= share * jobs) ?? samples.at(-1));
    return (b[key] - a[key]) / (b.jobs - a.jobs);
  };
  for (const [key, name] of [
    ["ms", "wall"],
    ["cpuMs", "server's CPU"],
  ]) {
    const [start, end] = [perJob(0.02, 0.2, key), perJob(0.8, 0.98, key)];
    printFigure(`${name} time per job, end / start`, end / start, 1.2, `${start.toFixed(2)} and ${end.toFixed(2)} ms`);
  }
  printFigure("memory of the server, MiB", Math.max(...samples.map(({ mib }) => mib)), 350);
  printFigure("slowest request meanwhile, ms", Math.max(...times), 300, slow.slice(0, 5).join(", "));
  const [busyMs, idleMs] = [p99(times), p99(idle)];
  printFigure("99 % of requests, busy / idle", busyMs / idleMs, 3, `${busyMs.toFixed(1)} and ${idleMs.toFixed(1)} ms`);
}

async function printAnswers(server, runId) {
  const run = `${server.address}/api/runs/${runId}`;
  printFigure("run record, kB", (await (await ask(run)).arrayBuffer()).byteLength / 1000, 100);
  const startMs = performance.now();
  const bytes = (await (await ask(`${run}/outputs`)).arrayBuffer()).byteLength;
  printFigure("all outputs of it, ms", performance.now() - startMs, 1000, `${(bytes / 1e6).toFixed(1)} MB`);
}

async function probe({ address }, path, count) {
  const times = [];
  for (let index = 0; index < count; index++) {
    const startMs = performance.now();
    await (await ask(address + path)).arrayBuffer();
    times.push(performance.now() - startMs);
    await pause(10);
  }
  return times;
}

function p99(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)];
}

function printFigure(name, value, bar, details = "") {
  const verdict = value <= bar ? "ok" : "MISSED";
  console.log(`${name}: ${value.toFixed(2)} (bar ${bar}) ${verdict}${details === "" ? "" : `; ${details}`}`);
}
