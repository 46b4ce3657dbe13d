// npm run reliability [-- --kills N --cuts N --every N --runs N --races N --watched N --rounds N --writes N]: runs the tests of
// this folder one after the other and writes their output into docs/contributing/laboratory.md, between its two markers. Exits with
// 1 if any test finds a fault. `every`: tests every N-th boundary between events; `writes`: every N-th write of
// the log.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "../install.mjs";
import { numbersFrom } from "./command-numbers.mjs";
import { writeFigures } from "./reliability-page.mjs";

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
const day = new Date().toISOString().slice(0, 10);
const machine = `${day}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
writeFigures("npm run reliability", ["```text", machine, ...results.map(({ printed }) => printed), "```"].join("\n"));
process.exitCode = results.every(({ sound }) => sound) ? 0 : 1;

function measure(name, counts) {
  const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  const flags = Object.entries(counts).flatMap(([flag, count]) => [`--${flag}`, String(count)]);
  const { status, stdout } = spawnSync(process.execPath, [script, ...flags], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(stdout);
  return { sound: status === 0, printed: status === 0 ? stdout.trimEnd() : `${stdout}${name} ended with ${status}` };
}
