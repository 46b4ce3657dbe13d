// npm run test:slurm [part…]: runs jobs on a real Slurm of four nodes on this machine, also while the server, Slurm's controller and a
// node are killed. Exits with 1 if a job was lost, ran twice or had outputs unlike those on the local backend.
// --short: fewer jobs. Parts: imaging, scatter, packed, mixed, abort, server, ends, controller, daemon, node.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensureInstalled } from "../install.mjs";
import { ensureDebianPackages } from "../suite/debian.mjs";
import { onPinnedNode } from "../reliability/on-pinned-node.mjs";
import { getJson, postRun } from "../reliability/server-process.mjs";
import { until } from "./cluster.mjs";
import { whyNoSlurm } from "./why-no-slurm.mjs";
import { killNode } from "./kill-node.mjs";
import { clusterOfEnds, endsBySlurm } from "./slurm-ends.mjs";
import { endedRun, faultsOf, marksOf, openSite, postScatter } from "./slurm-site.mjs";

/** The clusters work in parallel, because they mostly wait. */
const CLUSTERS = {
  whole: () => ({}),
  damaged: () => ({}),
  ends: clusterOfEnds,
};

const PARTS = {
  imaging: { on: "whole", what: "the imaging network has the same outputs as on the local backend", run: imaging },
  scatter: { on: "whole", what: "a large scatter runs on four nodes", run: scatter },
  packed: { on: "whole", what: "short jobs share tasks", run: packed },
  mixed: { on: "whole", what: "one run has jobs here and on Slurm", run: mixed },
  abort: { on: "whole", what: "an abort leaves no task behind", run: abort },
  server: { on: "whole", what: "the server is killed during a scatter", run: killServer },
  ends: { on: "ends", what: "jobs that Slurm ends by its own decision report why", run: endsBySlurm },
  controller: { on: "damaged", what: "Slurm's controller is killed during a scatter", run: killController },
  daemon: { on: "damaged", what: "the daemon of a node is killed during a scatter and restarted", run: killDaemon },
  node: { on: "damaged", what: "a node dies with all that runs on it during a scatter", run: loseNode },
};

const { values, positionals } = parseArgs({ options: { short: { type: "boolean" } }, allowPositionals: true });
ensureInstalled();
onPinnedNode();
await ensureDebianPackages("slurm");
const missing = whyNoSlurm();
if (missing !== undefined) {
  console.log(`weft: ${missing}: nothing was run`);
  process.exit(0);
}
process.exitCode = await main();

async function main() {
  const unknown = positionals.find((name) => !(name in PARTS));
  if (unknown !== undefined) {
    console.error(`weft: no part is called ${unknown}; the parts are ${Object.keys(PARTS).join(", ")}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "weft-slurm-"));
  const selected = Object.entries(PARTS).filter(([name]) => positionals.length === 0 || positionals.includes(name));
  const byCluster = [...Map.groupBy(selected, ([, { on }]) => on)];
  try {
    // All of them finish before their folders are removed.
    const results = await Promise.allSettled(
      byCluster.map(([name, parts]) => runParts(join(folder, name), name, parts)),
    );
    const broken = results.find(({ status }) => status === "rejected");
    if (broken !== undefined) throw broken.reason;
    const faults = results.reduce((sum, { value }) => sum + value, 0);
    console.log(`slurm: ${faults} faults`);
    return faults === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs parts one after the other on one cluster; returns the number of faults. */
async function runParts(folder, cluster, parts) {
  mkdirSync(folder);
  const site = await openSite(folder, CLUSTERS[cluster]());
  try {
    let faults = 0;
    for (const [name, part] of parts) faults += await runPart(name, part, site);
    return faults;
  } finally {
    await site.stop();
  }
}

async function runPart(name, part, site) {
  const beganMs = performance.now();
  const { summary, found } = await part.run(site, values.short === true);
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  console.log(`${name}: ${part.what}: ${summary}, ${seconds} s, ${found.length} faults`);
  for (const fault of found) console.log(`  ${fault}`);
  return found.length;
}

async function imaging(site) {
  const checksums = {};
  for (const backend of ["local", "slurm"]) {
    const server = site.serve(`imaging-${backend}`, { backend, shipped: true });
    const { address } = await server.address;
    const { examples } = await getJson(address, "/api/networks/imaging-cohort");
    const id = await postRun(address, "imaging", { network: "imaging-cohort", inputs: examples[0].inputs });
    const run = await endedRun(address, id);
    checksums[backend] = run.state === "COMPLETE" ? checksumsIn(run.outputs) : [`${run.state}`];
    await server.stop("SIGTERM");
  }
  const isSame = checksums.local.join() === checksums.slurm.join();
  return { summary: `${checksums.slurm.length} output files`, found: isSame ? [] : ["the outputs differ"] };
}

function checksumsIn(value) {
  if (Array.isArray(value)) return value.flatMap(checksumsIn);
  if (typeof value !== "object" || value === null) return [];
  return value.class === "File" ? [value.checksum] : Object.values(value).flatMap(checksumsIn);
}

async function scatter(site, isShort) {
  const count = isShort ? 30 : 600;
  return runScatter(site, { count, seconds: 0 }, async () => {});
}

function packed(site, isShort) {
  return runScatter(site, { count: isShort ? 30 : 300, seconds: 0, isShort: true }, async () => {});
}

async function mixed(site) {
  const server = site.serve("mixed");
  const { address } = await server.address;
  const id = await postRun(address, "mixed", { network: "mixed", inputs: { marks: site.marks } });
  const run = await endedRun(address, id);
  const jobs = await Promise.all(["far", "near"].map((job) => getJson(address, `/api/runs/${id}/jobs/${job}`)));
  await server.stop("SIGTERM");
  const summary = jobs.map(({ job_id, backend }) => `${job_id} on ${backend.kind}`).join(", ");
  const isRight = run.state === "COMPLETE" && summary === "far on slurm, near on local";
  return { summary, found: isRight ? [] : [`the run is ${run.state}: ${summary}`] };
}

/** Runs a scatter and calls `disturb` once `after` of its jobs have begun; calls `maintain` every 5 s from then on. */
async function runScatter(site, { count, seconds, isShort, after = 0, maintain = () => {} }, disturb) {
  const before = marksOf(site).length;
  const state = `state-${performance.now()}`;
  const server = site.serve(state);
  const { address } = await server.address;
  const id = await postScatter(address, site, { count, seconds, isShort });
  await until("jobs that run", () => marksOf(site).length - before >= after, { withinMs: 300_000 });
  const next = (await disturb({ server, state, id })) ?? { server, address };
  const timer = setInterval(maintain, 5000);
  const run = await endedRun(next.address, id).finally(() => clearInterval(timer));
  await next.server.stop("SIGTERM");
  const left = await leftInQueue(site);
  const found = [
    ...faultsOf(run, site, count),
    ...(left.length === 0 ? [] : [`${left.length} tasks are left in the queue`]),
  ];
  return { summary: `${count} jobs, ${marksOf(site).length - before} attempts`, found };
}

/** Weft may see the record of a job before Slurm notices the end, which takes a while if its controller was down. */
async function leftInQueue(site) {
  await until("an empty queue", () => site.cluster.queue().length === 0, { withinMs: 120_000 }).catch(() => {});
  return site.cluster.queue();
}

async function abort(site, isShort) {
  const server = site.serve("abort");
  const { address } = await server.address;
  const count = isShort ? 30 : 500;
  const before = marksOf(site).length;
  const id = await postScatter(address, site, { count, seconds: 300 });
  await until("jobs that run", () => marksOf(site).length - before >= 10, { withinMs: 300_000 });
  const answer = await fetch(`${address}/api/runs/${id}`, { method: "DELETE" });
  const run = await endedRun(address, id);
  const left = site.cluster.queue();
  await server.stop("SIGTERM");
  const found = [
    ...(answer.ok ? [] : [`the abort got the answer ${answer.status}`]),
    ...(run.state === "CANCELED" ? [] : [`the run is ${run.state}`]),
    ...(left.length === 0 ? [] : [`${left.length} tasks are left in the queue: ${left[0]}`]),
  ];
  return { summary: `${count} jobs, ${left.length} tasks left`, found };
}

/** The size of a scatter during which something is killed. */
function during(isShort) {
  return isShort ? { count: 30, seconds: 0.5, after: 5 } : { count: 300, seconds: 1, after: 60 };
}

function killServer(site, isShort) {
  return runScatter(site, during(isShort), async ({ server, state }) => {
    await server.stop("SIGKILL");
    const next = site.serve(state);
    return { server: next, address: (await next.address).address };
  });
}

function killController(site, isShort) {
  const maintain = () => site.cluster.resumeNodes();
  return runScatter(site, { ...during(isShort), maintain }, async () => {
    await site.cluster.kill("controller");
    // Long enough for one failed query of the queue.
    await pause(3000);
    site.cluster.startController();
  });
}

function killDaemon(site, isShort) {
  return runScatter(site, during(isShort), async () => {
    await site.cluster.kill("n2");
    await pause(2000);
    site.cluster.startNode("n2");
  });
}

async function loseNode(site, isShort) {
  let ended = 0;
  let node;
  const result = await runScatter(site, during(isShort), async () => {
    // The jobs may end while they are being found.
    for (; ended === 0; await pause(1000)) {
      if (node !== undefined) site.cluster.startNode(node);
      await until("a node with jobs", () => (node = site.cluster.busyNodes()[0]) !== undefined);
      ended = await killNode(site.cluster, node);
    }
  });
  site.cluster.startNode(node);
  return { ...result, summary: `${result.summary}, ${ended} processes ended with the node` };
}
