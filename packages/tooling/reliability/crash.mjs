// npx node packages/tooling/reliability/crash.mjs [--kills N] [--seed N]: repeatedly kills a working server (SIGKILL) at
// random instants, from its first millisecond on, each time with one more run, and checks the result.
import { setTimeout as pause } from "node:timers/promises";
import { CrashStudy } from "./crash-study.mjs";
import { numbersFrom } from "./command-numbers.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";
import { randomFrom } from "./random-from.mjs";

/** Counted from the end of the start, because the duration of a start depends on the machine. */
const LONGEST_LIFE_MS = 3000;

onPinnedNode();
const { kills, seed } = numbersFrom(process.argv.slice(2), { kills: 40, seed: 1 });
const random = randomFrom(seed);
const study = new CrashStudy();
const killedIn = { starting: 0, serving: 0 };
let startMs = 500;

try {
  for (let kill = 0; kill < kills; kill++) await crashOnce(kill);
  const faults = await study.judge();
  const { starting, serving } = killedIn;
  console.log(`crash: ${kills} kills at random instants (seed ${seed}): ${starting} while starting, ${serving} later`);
  console.log(`crash: ${study.acknowledged.size} runs, ${study.lastSeq} events heard`);
  study.print("crash", faults);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  study.remove();
}

async function crashOnce(kill) {
  const server = study.launch();
  let isUp = false;
  server.address.then(
    () => (isUp = true),
    () => undefined,
  );
  const working = study.work(server, `run-${kill}`);
  await pause(random() * (startMs + LONGEST_LIFE_MS));
  killedIn[isUp ? "serving" : "starting"] += 1;
  startMs = isUp ? study.startsMs.at(-1) : 1.5 * startMs;
  await server.stop("SIGKILL");
  await working;
}
