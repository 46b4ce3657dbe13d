// npm run soak -- --hours H [--seed N]: uses a server in every way at once for hours, kills it from time to time, and reports
// what remains after everything has ended: processes, open files, temporary files, control groups, log segments, memory.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { FaultSite } from "./faults/fault-site.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";
import { randomFrom } from "./random-from.mjs";
import { ACTIONS } from "./soak/actions.mjs";
import { leftOnMachine, usedBy } from "./soak/leftovers.mjs";

const AT_ONCE = 6;
const KILL_EVERY_MS = 60_000;
/** The share of the time in which servers are killed; the last server then warms up for as long as it is watched. */
const KILLS_SHARE = 1 / 3;
/** Maximum growth of a server while it is watched. */
const GROWTH = { memory: 100 * 1024 ** 2, files: 20 };
const SETTLE_MS = 5000;

onPinnedNode();
const { values } = parseArgs({ options: { hours: { type: "string" }, seed: { type: "string" } } });
const hours = Number(values.hours ?? "1");
if (!(hours > 0)) {
  console.error(`cannot read --hours "${values.hours}": it takes a number, such as 8 or 0.1`);
  process.exit(2);
}
const site = new FaultSite();
const faults = [];
try {
  await soak();
} finally {
  await site.close();
}
console.log(`soak: ${faults.length} faults`);
for (const fault of faults.slice(0, 20)) console.log(`soak: fault: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function soak() {
  const temporary = join(site.folder, "tmp");
  mkdirSync(temporary);
  const processOptions = { env: { TMPDIR: temporary, WEFT_SANDBOX: "auto" } };
  const totalMs = hours * 3_600_000;
  const startMs = performance.now();
  const state = { site, random: randomFrom(Number(values.seed ?? "1")), runs: [], counts: new Map(), isDown: false };
  await site.start(processOptions);
  const kills = await actUntil(startMs + totalMs * KILLS_SHARE, state, () => restart(state, processOptions));
  await actUntil(startMs + (totalMs * (1 + KILLS_SHARE)) / 2, state);
  await untilEnded(state);
  const before = await usedBy(site.server.pid);
  await actUntil(startMs + totalMs, state);
  await untilEnded(state);
  await pause(SETTLE_MS);
  const after = await usedBy(site.server.pid);
  expect(
    after.memory <= before.memory + GROWTH.memory,
    `memory grew from ${mib(before.memory)} to ${mib(after.memory)}`,
  );
  expect(after.files <= before.files + GROWTH.files, `open files grew from ${before.files} to ${after.files}`);
  const ended = await site.server.stop("SIGTERM");
  expect(ended.code === 0, `the server ended with ${ended.code}: ${ended.errors}`);
  faults.push(...(await leftOnMachine(site, { temporary, runs: state.runs })));
  const counted = [...state.counts].map(([name, count]) => `${name} ${count}`).join(", ");
  console.log(`soak: ${((performance.now() - startMs) / 3_600_000).toFixed(2)} h, ${kills} kills, ${counted}`);
  console.log(`soak: memory ${mib(before.memory)} → ${mib(after.memory)}, open files ${before.files} → ${after.files}`);
}

/** Lets several users act at random, and calls `interrupt` once a minute. Returns the number of these calls. */
async function actUntil(endMs, state, interrupt) {
  let interrupted = 0;
  let isOver = false;
  const act = async () => {
    while (performance.now() < endMs) await actOnce(state);
  };
  const interrupting = async () => {
    while (interrupt !== undefined && !isOver) {
      for (let waited = 0; waited < KILL_EVERY_MS && !isOver; waited += 250) await pause(250);
      if (isOver) return;
      await interrupt();
      interrupted += 1;
    }
  };
  const interruptions = interrupting();
  await Promise.all(Array.from({ length: AT_ONCE }, act));
  isOver = true;
  await interruptions;
  return interrupted;
}

async function actOnce(state) {
  const names = Object.keys(ACTIONS);
  const name = names[Math.floor(state.random() * names.length)];
  const { isDown } = state;
  const problem = await ACTIONS[name](state).catch((error) => error.cause?.message ?? error.message);
  if (problem === undefined) state.counts.set(name, (state.counts.get(name) ?? 0) + 1);
  // The server is down.
  else if (isDown || state.isDown) await pause(100);
  else faults.push(`${name}: ${problem}`);
}

async function restart(state, processOptions) {
  state.isDown = true;
  await site.server.stop("SIGKILL");
  await site.start(processOptions);
  // Requests to the old server fail a moment later.
  await pause(1000);
  state.isDown = false;
}

async function untilEnded({ runs }) {
  for (const runId of runs) await site.untilFinal(runId);
}

function expect(isSo, sentence) {
  if (!isSo) faults.push(sentence);
}

function mib(bytes) {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
