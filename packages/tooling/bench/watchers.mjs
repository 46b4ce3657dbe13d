import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { median, startInstalled } from "./measure.mjs";
import { ask } from "./serving.mjs";

const WATCHERS = 500;
const JOBS = 300;
const PROBE_MS = 20;

/** Measures a busy run with many watchers: each should receive every number once, and the API should respond about as fast as without them. */
export async function benchWatchers(folder) {
  const server = await startInstalled(["--state", join(folder, "watchers")]);
  try {
    await measureWatchers(server);
  } finally {
    await server.stop();
  }
}

async function measureWatchers(server) {
  const first = await server.runToEnd(load(10));
  const probe = `${server.address}/api/runs/${first.run_id}/status`;
  const idle = await latencies(probe, pause(1000));
  const alone = await latencies(probe, server.runToEnd(load(JOBS)));
  const before = memoryMib(server.pid);
  const workerData = { address: server.address, count: WATCHERS };
  const watchers = new Worker(new URL("event-watchers.mjs", import.meta.url), { workerData });
  await once(watchers, "message");
  const watched = await latencies(probe, server.runToEnd(load(JOBS)));
  const { last_seq: last } = await (await ask(`${server.address}/api/events?page_size=1`)).json();
  watchers.postMessage(last);
  const [seen] = await once(watchers, "message");
  const after = memoryMib(server.pid);
  const wrong = seen.filter(({ faults, count }) => faults > 0 || count !== seen[0].count).length;
  console.log(
    `${WATCHERS} watchers of ${JOBS} jobs: ${seen[0].count} events each, ${wrong} watchers missed or repeated one`,
  );
  printRatios("status while a run is busy, watched / not watched", watched, alone);
  printRatios("status while a run is busy and watched / idle", watched, idle);
  if (before !== undefined)
    console.log(
      `memory of the server, watched / not watched: ${(after / before).toFixed(2)} (${after.toFixed(0)} and ${before.toFixed(0)} MiB)`,
    );
}

function load(count) {
  return { network: "practice-load", inputs: { count, seconds: 0 } };
}

/** Durations in milliseconds of successive requests while something else is in progress. */
async function latencies(url, activity) {
  const times = [];
  let isOver = false;
  const over = activity.finally(() => (isOver = true));
  // A failure is reported below, after the pending request is answered.
  over.catch(() => undefined);
  while (!isOver) {
    const start = performance.now();
    await (await ask(url)).arrayBuffer();
    times.push(performance.now() - start);
    await pause(PROBE_MS);
  }
  await over;
  return times;
}

function printRatios(name, one, other) {
  const p99 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)];
  const ratio = (of) => (of(one) / of(other)).toFixed(2);
  const both = (of) => `${of(one).toFixed(1)} and ${of(other).toFixed(1)} ms`;
  console.log(`${name}: median ${ratio(median)} (${both(median)}), 99 % ${ratio(p99)} (${both(p99)})`);
}

/** Undefined if there is no /proc. */
function memoryMib(pid) {
  if (process.platform !== "linux") return undefined;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}
