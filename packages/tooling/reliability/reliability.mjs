// npm run reliability [-- --kills N --cuts N --every N --runs N --races N --watched N --rounds N --writes N]: runs the tests of
// this folder one after the other. Exits with 1 if any test finds a fault. `every`: tests every N-th boundary between events;
// `writes`: every N-th write of the log.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "../install.mjs";
import { numbersFrom } from "./command-numbers.mjs";

const COUNTS = { kills: 40, cuts: 40, every: 1, runs: 200, races: 50, watched: 10, rounds: 20, writes: 8 };
const { kills, cuts, every, runs, races, watched, rounds, writes } = numbersFrom(process.argv.slice(2), COUNTS);
ensureInstalled();
const results = [
  measure("boundaries", { every }),
  measure("crash", { kills }),
  measure("power", { cuts }),
  measure("events", { kills: watched }),
  measure("abort", { runs }),
  measure("race", { races }),
  measure("faults", { rounds, every: writes }),
];
process.exitCode = results.every((isSound) => isSound) ? 0 : 1;

/** Runs one test, and says whether it finds no fault. */
function measure(name, counts) {
  const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  const flags = Object.entries(counts).flatMap(([flag, count]) => [`--${flag}`, String(count)]);
  const { status } = spawnSync(process.execPath, [script, ...flags], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) console.log(`${name} ended with ${status}`);
  return status === 0;
}
