// node packages/tooling/reliability/crash.mjs [--kills N] [--seed N]: kills a working server again and again (SIGKILL), two times
// of three at a boundary between events, else at a random instant (while it starts, too), and judges what is left.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { EXPECTED, EXPECTED_CHECKSUM, expectedMarks, NUMBERS, writeCrashCatalog } from "./crash-network.mjs";
import { judgeCrash } from "./judge-crash.mjs";
import { numbersFrom } from "./command-numbers.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";
import { randomFrom } from "./random-from.mjs";
import { allEvents, getJson, hearEvents, launchServer, postRun } from "./server-process.mjs";

/** Kills at boundaries come after each of these in turn. */
const BOUNDARIES = [
  "run.created",
  "run.started",
  "run.steps",
  "job.queued",
  "job.started",
  "job.running",
  "job.exited",
  "job.ended",
  "run.ended",
];
/** Of those of jobs, one of the first so many that a server brings about. */
const DEPTH = 4;
const LONGEST_START_MS = 1500;
const QUIET_MS = 8000;
const STUCK_MS = 120_000;

onPinnedNode();
const { kills, seed } = numbersFrom(process.argv.slice(2), { kills: 100, seed: 1 });
const folder = mkdtempSync(join(tmpdir(), "weft-crash-"));
const random = randomFrom(seed);
const args = ["--jobs", "4", "--state", join(folder, "state"), "--catalog", writeCrashCatalog(folder)];
const marksFile = join(folder, "marks.txt");
/** Of each run: its token, and its id once a server has answered it. */
const acknowledged = new Map();
const heard = new Map();
const killedAfter = new Map();
const startsMs = [];
let lastSeq = 0;

try {
  for (let kill = 0; kill < kills; kill++) await crashOnce(kill);
  const faults = await judgeRest();
  printFigures(faults);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function crashOnce(kill) {
  const server = launchServer(args);
  const atBoundary = kill % 3 !== 2;
  const boundary = BOUNDARIES[(Math.floor(kill / 3) * 2 + (kill % 3)) % BOUNDARIES.length];
  let before = boundary.startsWith("job.") ? Math.floor(random() * DEPTH) : 0;
  const moment = Promise.withResolvers();
  const hear = (event) => {
    heard.set(event.seq, JSON.stringify(event));
    lastSeq = event.seq;
    if (atBoundary && event.type === boundary && before-- === 0) moment.resolve(event.type);
  };
  const working = work(server, `run-${kill}`, hear);
  const after = await Promise.race([
    moment.promise,
    atBoundary ? workless(working) : pause(random() * LONGEST_START_MS, "an instant"),
  ]);
  await server.stop("SIGKILL");
  await working;
  killedAfter.set(after, (killedAfter.get(after) ?? 0) + 1);
}

/** Posts what no server has answered yet and one run more, and hears events until the server is gone. */
async function work(server, token, hear) {
  acknowledged.set(token, undefined);
  try {
    const { address, readyMs } = await server.address;
    startsMs.push(readyMs);
    const hearing = hearEvents(address, lastSeq, hear);
    await postOpen(address);
    await hearing;
  } catch {
    // It was killed before it had answered; its runs are posted again.
  }
}

async function postOpen(address) {
  for (const [token, id] of acknowledged) {
    if (id !== undefined) continue;
    const inputs = { numbers: NUMBERS, token, marks: marksFile };
    acknowledged.set(token, await postRun(address, token, { network: "crash", name: token, inputs }));
  }
}

/** A boundary that does not come, because all runs have ended. */
async function workless(working) {
  await Promise.race([working, pause(QUIET_MS)]);
  return "quiet";
}

async function judgeRest() {
  const server = launchServer(args);
  const { address, readyMs } = await server.address;
  startsMs.push(readyMs);
  await postOpen(address);
  await waitForEnds(address);
  const runs = await allRuns(address);
  const outputs = new Map();
  for (const { run_id } of runs) outputs.set(run_id, await hasExpectedOutput(address, run_id));
  const events = await allEvents(address);
  const ended = await server.stop("SIGTERM");
  const marks = readFileSync(marksFile, "utf8").trimEnd().split("\n");
  const faults = judgeCrash({ acknowledged, runs, outputs, events, heard, marks, expectedMarks });
  return ended.code === 0 ? faults : [...faults, `the last server ended with ${ended.code}: ${ended.errors}`];
}

async function waitForEnds(address) {
  const deadline = performance.now() + STUCK_MS;
  for (const id of acknowledged.values()) {
    while (performance.now() < deadline) {
      const answer = await fetch(`${address}/api/runs/${id}/status`);
      if (answer.status === 404 || /COMPLETE|ERROR|CANCELED/.test((await answer.json()).state)) break;
      await pause(50);
    }
  }
}

async function allRuns(address) {
  const runs = [];
  for (let token = ""; ;) {
    const page = await getJson(
      address,
      `/api/runs?page_size=100${token && `&page_token=${encodeURIComponent(token)}`}`,
    );
    runs.push(...page.runs);
    token = page.next_page_token;
    if (token === "") return runs;
  }
}

/** By the checksum on record, and by the bytes that the server gives. */
async function hasExpectedOutput(address, runId) {
  const run = await getJson(address, `/api/runs/${runId}`);
  if (run.state !== "COMPLETE") return false;
  const { checksum, location } = run.outputs.joined;
  const answer = await fetch(new URL(location, address));
  return checksum === EXPECTED_CHECKSUM && (await answer.text()) === EXPECTED;
}

function printFigures(faults) {
  const slowest = Math.max(...startsMs);
  const places = [...killedAfter].sort(([, a], [, b]) => b - a).map(([after, count]) => `${after} ${count}`);
  console.log(`crash: ${kills} kills (seed ${seed}), ${acknowledged.size} runs, ${lastSeq} events heard`);
  console.log(`crash: killed after ${places.join(", ")}`);
  console.log(`crash: ${startsMs.length} starts, the slowest ready after ${(slowest / 1000).toFixed(2)} s`);
  console.log(`crash: ${faults.length} faults`);
  for (const fault of faults.slice(0, 20)) console.log(`crash: fault: ${fault}`);
}
