// npx node packages/tooling/reliability/events.mjs [--kills N] [--subscribers N]: connects WebSockets and event streams
// while runs are in progress, their server is killed (SIGKILL) and restarted, and half of the subscribers drop their connection
// from time to time. In the end, each must have received every event once and in order.
import { setTimeout as pause } from "node:timers/promises";
import { CrashStudy } from "./crash-study.mjs";
import { numbersFrom } from "./command-numbers.mjs";
import { EventSubscriber } from "./event-subscriber.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";
import { randomFrom } from "./random-from.mjs";
import { allEvents } from "./server-process.mjs";

const SHORTEST_LIFE_MS = 500;
const LONGEST_LIFE_MS = 3000;
const DROP_EVERY_MS = 400;
const STUCK_MS = 60_000;

onPinnedNode();
const { kills, subscribers: count, seed } = numbersFrom(process.argv.slice(2), { kills: 10, subscribers: 8, seed: 1 });
const random = randomFrom(seed);
const study = new CrashStudy();
const subscribers = Array.from({ length: count }, (_, n) => new EventSubscriber(n % 2 === 0 ? "socket" : "stream", n));
const dropping = setInterval(() => {
  for (const [n, subscriber] of subscribers.entries()) if (n % 4 > 1 && random() < 0.5) subscriber.drop();
}, DROP_EVERY_MS);
let server = study.launch();

try {
  const receiving = subscribers.map((subscriber) => subscriber.hear(address));
  for (let kill = 0; kill < kills; kill++) await liveAndDie(kill);
  const faults = await judge();
  for (const subscriber of subscribers) subscriber.close();
  await Promise.all(receiving);
  await server.stop("SIGTERM");
  print(faults);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  clearInterval(dropping);
  study.remove();
}

/** Address of the current server, or of the next one. */
async function address() {
  for (;;) {
    const found = await server.address.catch(() => undefined);
    if (found !== undefined) return found.address;
    await pause(20);
  }
}

async function liveAndDie(kill) {
  const working = study.work(server, `run-${kill}`);
  await server.address;
  await pause(SHORTEST_LIFE_MS + random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS));
  await server.stop("SIGKILL");
  server = study.launch();
  await working;
}

/** When all runs have finished, every subscriber must have received all events. */
async function judge() {
  const { address: at, readyMs } = await server.address;
  study.startsMs.push(readyMs);
  await study.waitForEnds(at);
  const events = await allEvents(at);
  const deadline = performance.now() + STUCK_MS;
  const isBehind = ({ lastSeq }) => lastSeq < events.length;
  while (subscribers.some(isBehind) && performance.now() < deadline) await pause(50);
  return subscribers.flatMap((subscriber) => faultsOf(subscriber, events));
}

function faultsOf({ name, texts, faults }, events) {
  const changed = events.findIndex((event, index) => texts[index] !== JSON.stringify(event));
  return changed === -1 ? faults : [...faults, `${name} did not receive event ${changed + 1} as it is in the log`];
}

function print(faults) {
  const connections = subscribers.reduce((sum, subscriber) => sum + subscriber.connections, 0);
  const received = Math.min(...subscribers.map(({ lastSeq }) => lastSeq));
  console.log(
    `events: ${count} subscribers heard ${received} events each, over ${kills} kills and ${connections} connections (seed ${seed})`,
  );
  study.print("events", faults);
}
