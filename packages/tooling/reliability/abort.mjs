// npx node packages/tooling/reliability/abort.mjs [--runs N]: aborts runs whose jobs try to outlive it, and counts the
// processes that remain when the runs become CANCELED. Aborts come in turn: while starting, while running, twice, while
// outputs are collected, and right after the server was killed and restarted. Every fourth server runs without
// control groups: jobs are ended by the server that began them and by another, of either kind.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeAbortCatalog } from "./abort-networks.mjs";
import { numbersFrom } from "./command-numbers.mjs";
import { findSurvivors } from "./find-survivors.mjs";
import { endFaults } from "./judge-crash.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";
import { allEvents, launchServer, postRun } from "./server-process.mjs";

const WAYS = ["starting", "running", "twice", "collecting", "restarted"];
const STUCK_MS = 90_000;

onPinnedNode();
const { runs } = numbersFrom(process.argv.slice(2), { runs: 50 });
if (!existsSync("/proc/self/environ")) {
  console.log("abort: skipped: it counts processes in /proc, which this system does not have");
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "weft-abort-"));
const args = ["--jobs", "16", "--state", join(folder, "state"), "--catalog", writeAbortCatalog(folder)];
const faults = [];
const ends = new Map();
const proofs = new Map();
let launches = 0;
let ended = 0;
let slowestMs = 0;
let survived = 0;
let server = launch();

try {
  for (let done = 0; done < runs; done += WAYS.length) await abortSome(done, WAYS.slice(0, runs - done));
  const { address } = await server.address;
  faults.push(...endFaults({ events: await allEvents(address) }));
  await server.stop("SIGTERM");
  printFigures();
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Aborts one run in each way, all at the same time; the server is killed while the first ones are being aborted. */
async function abortSome(first, ways) {
  const posted = await Promise.all(ways.map((way, index) => post(way, `abortee-${process.pid}-${first + index}-`)));
  await Promise.all(
    posted.map(async (run) => {
      await untilMoment(run);
      await requestAbort(run);
      await judge(run);
    }),
  );
}

async function post(way, token) {
  const { address } = await server.address;
  const network = way === "collecting" ? "files" : "trees";
  return { way, token, runId: await postRun(address, token, { network, inputs: { token, numbers: [1, 2] } }) };
}

/** Resolves at the moment at which the run is to be aborted. */
function untilMoment(run) {
  switch (run.way) {
    case "starting":
      return undefined;
    case "collecting":
      return hasExited(run);
    case "restarted":
      return hasRestarted(run);
    default:
      return isRunning(run);
  }
}

async function hasRestarted(run) {
  await isRunning(run);
  await server.stop("SIGKILL");
  server = launch();
}

function launch() {
  const withoutGroups = launches % 4 === 3;
  launches += 1;
  return launchServer(withoutGroups ? [...args, "--no-control-groups"] : args);
}

async function isRunning({ runId }) {
  while (((await get(`/api/runs/${runId}/status`)).job_counts.RUNNING ?? 0) === 0) await pause(20);
}

/** Resolves when a program has ended and its outputs are being hashed. */
async function hasExited({ runId }) {
  const exited = ({ type }) => type === "job.exited";
  while (!(await get(`/api/runs/${runId}/events?page_size=500`)).events.some(exited)) await pause(5);
}

async function requestAbort(run) {
  run.requestedMs = performance.now();
  await Promise.all((run.way === "twice" ? [1, 2] : [1]).map(() => reach(`/api/runs/${run.runId}`, "DELETE")));
}

/** Looks for remaining processes as soon as the run is final, and again when nothing can be in progress. */
async function judge({ way, token, runId, requestedMs }) {
  let state, reason;
  do {
    await pause(20);
    ({ state, state_reason: reason } = await get(`/api/runs/${runId}/status`));
  } while (!/COMPLETE|ERROR|CANCELED/.test(state) && performance.now() - requestedMs < STUCK_MS);
  const survivors = findSurvivors(runId, token);
  slowestMs = Math.max(slowestMs, performance.now() - requestedMs);
  const end = `${way} ${state}`;
  ends.set(end, (ends.get(end) ?? 0) + 1);
  if (state !== "CANCELED" && !(way === "collecting" && state === "COMPLETE"))
    faults.push(`a run ended as ${end}: ${reason?.message ?? "without a reason"}`);
  if (state === "CANCELED") await judgeReport(runId, way);
  await pause(250);
  const left = new Set([...survivors, ...findSurvivors(runId, token)]).size;
  survived += left;
  if (left > 0) faults.push(`${left} processes outlived an abort (${way})`);
}

/** The run must report how each job ended, and the evidence that nothing is left. */
async function judgeReport(runId, way) {
  const { abort } = await get(`/api/runs/${runId}`);
  const unproven = abort.jobs.filter(({ confirmed_at, evidence }) => confirmed_at === null || evidence.length === 0);
  if (abort.confirmed_at === null || abort.jobs.length !== abort.jobs_ended || unproven.length > 0)
    faults.push(`an abort (${way}) is reported without evidence: ${JSON.stringify(abort)}`);
  const proof = abort.evidence.join("+");
  proofs.set(proof, (proofs.get(proof) ?? 0) + 1);
  ended += abort.processes_found;
}

async function get(path) {
  return JSON.parse(await reach(path, "GET"));
}

/** Returns the text of an answer. If the server is killed meanwhile, repeats the request when the server is back. */
async function reach(path, method) {
  for (;;) {
    const { address } = await server.address.catch(() => server.address);
    const answer = await fetch(`${address}${path}`, { method }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok === true && text !== undefined) return text;
    if (answer?.ok === false) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    await pause(20);
  }
}

function printFigures() {
  const kinds = [...ends].map(([end, count]) => `${end} ${count}`);
  console.log(`abort: ${runs} aborts: ${kinds.join(", ")}`);
  const shown = [...proofs].map(([proof, count]) => `${proof} ${count}`);
  console.log(`abort: ${ended} processes were ended; proven by ${shown.join(", ")}`);
  console.log(`abort: ${survived} processes survived, the slowest abort took ${(slowestMs / 1000).toFixed(1)} s`);
  console.log(`abort: ${faults.length} faults`);
  for (const fault of faults.slice(0, 20)) console.log(`abort: fault: ${fault}`);
}
