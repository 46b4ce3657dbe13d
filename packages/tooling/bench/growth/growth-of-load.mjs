import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { scatterNetwork } from "../scatter-network.mjs";
import { ask } from "../serving.mjs";
import { constant, during, peakMib, work } from "./figures.mjs";
import { startInstalled } from "../measure.mjs";

const WATCHED_JOBS = 300;
const RATES = ["--write-rate", "100000", "--read-rate", "100000"];

/** Starts a server with the network of trivial jobs, and with limits that allow this many jobs. */
function startScatterServer(folder, jobs, more = []) {
  const network = join(folder, "catalog/networks/scatter");
  mkdirSync(network, { recursive: true });
  writeFileSync(join(network, "scatter.cwl"), JSON.stringify(scatterNetwork()));
  return startInstalled([
    ...["--state", join(folder, "state"), "--catalog", join(folder, "catalog"), "--sandbox", "none", ...RATES, ...more],
    ...["--limit", `jobs-per-scatter=${jobs + 100}`, "--limit", `request-values=${jobs * 2 + 1000}`],
  ]);
}

/** A request for a run. No number may occur in two runs, because equal jobs share their results. */
function bodyOf(first, count) {
  return { network: "scatter", inputs: { numbers: Array.from({ length: count }, (_, index) => first + index) } };
}

/** Measures one run of this many trivial jobs. */
export async function growthOfOneRun(folder, jobs) {
  const server = await startScatterServer(folder, jobs);
  try {
    const cpuMs = await during(server, server.runToEnd(bodyOf(0, jobs), { askEveryMs: 500 }));
    return { "execute all": work(cpuMs), memory: work(peakMib(server.pid), "MiB") };
  } finally {
    await server.stop();
  }
}

/** Measures this many runs of one job, all requested before the first has ended. */
export async function growthOfRuns(folder, runs) {
  const server = await startScatterServer(folder, 1, ["--max-open-runs", String(runs + 10)]);
  try {
    const run = (_, index) => server.runToEnd(bodyOf(index, 1), { askEveryMs: 2000 });
    const cpuMs = await during(server, Promise.all(Array.from({ length: runs }, run)));
    return { "execute all": work(cpuMs), memory: work(peakMib(server.pid), "MiB") };
  } finally {
    await server.stop();
  }
}

/** Measures a run of 300 jobs with this many sockets that watch all events. */
export async function growthOfWatchers(folder, count) {
  const server = await startScatterServer(folder, WATCHED_JOBS);
  try {
    await server.runToEnd(bodyOf(0, WATCHED_JOBS));
    const watchers = new Worker(new URL("../event-watchers.mjs", import.meta.url), {
      workerData: { address: server.address, count },
    });
    await once(watchers, "message");
    const cpuMs = await during(server, toLastEvent(server, watchers));
    return { "execute 300 jobs": work(cpuMs), memory: constant(peakMib(server.pid), "MiB") };
  } finally {
    await server.stop();
  }
}

async function toLastEvent(server, watchers) {
  await server.runToEnd(bodyOf(WATCHED_JOBS, WATCHED_JOBS));
  const { last_seq: last } = await (await ask(`${server.address}/api/events?page_size=1`)).json();
  watchers.postMessage(last);
  const [seen] = await once(watchers, "message");
  const wrong = seen.filter(({ faults, count }) => faults > 0 || count !== seen[0].count).length;
  if (wrong > 0) throw new Error(`${wrong} of ${seen.length} watchers missed or repeated an event`);
}
