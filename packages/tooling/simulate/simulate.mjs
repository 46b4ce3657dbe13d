// npm run simulate -- [--seeds N] [--seed S] [--minutes M] [--mutations] [--record]: runs simulated worlds, in which a real run
// actor, scheduler, log and backends meet every fault that the simulation knows (docs/contributing/laboratory.md). Prints the
// shortest history found of each broken promise. `--seed`: the first seed; with no other option, only that one.
// `--mutations`: shows for each mutation in this folder which seed finds it; `--record`: also writes the result into that page.
// Exits with 1 if a promise is broken, or if a mutation is not found.
import { availableParallelism } from "node:os";
import { ensureInstalled } from "../install.mjs";
import { onPinnedNode } from "../reliability/on-pinned-node.mjs";
import { numbersFrom } from "../reliability/command-numbers.mjs";

ensureInstalled();
onPinnedNode();
const args = process.argv.slice(2);
const mutates = args.includes("--mutations");
const records = args.includes("--record");
const given = args.filter((arg) => arg !== "--mutations" && arg !== "--record");
const only = given.includes("--seed") && !given.includes("--seeds") && !given.includes("--minutes");
const { seeds, seed, minutes } = numbersFrom(given, { seeds: only ? 1 : 10_000, seed: 1, minutes: 24 * 60 });
const threads = availableParallelism();

if (mutates) {
  const { tryMutations } = await import("./try-mutations.mjs");
  process.exitCode = await tryMutations({ from: seed, count: seeds, threads, records });
} else process.exitCode = await simulate();

async function simulate() {
  const { runSeeds, shrinkSeed } = await import("../../engine/test/simulate/run-seeds.ts");
  const beganMs = Date.now();
  const report = await runSeeds({ from: seed, count: seeds, threads, untilMs: beganMs + minutes * 60_000 });
  const seconds = (Date.now() - beganMs) / 1000;
  const rate = Math.round((report.seeds / seconds) * 60);
  console.log(`simulate: ${report.seeds} worlds from seed ${seed} in ${seconds.toFixed(1)} s (${rate} a minute)`);
  console.log(`simulate: ${report.broken.length} broken promises`);
  const kinds = Map.groupBy(report.broken, ({ invariant }) => invariant);
  for (const [invariant, broken] of kinds) {
    console.log(
      `simulate: broken ${broken.length} times: ${invariant}; seeds ${broken
        .slice(0, 10)
        .map((one) => one.seed)
        .join(" ")}`,
    );
    print(await shrinkSeed(broken[0].seed));
  }
  return report.broken.length === 0 ? 0 : 1;
}

function print({ outcome, suppressed }) {
  const { seed: found, violation, lines, faults } = outcome;
  console.log(`\nseed ${found}: ${violation?.message ?? "the promise holds in a second world"}`);
  console.log(`remaining faults: ${faults.join(", ")}`);
  console.log(`faults left out: ${JSON.stringify(suppressed)}\n`);
  for (const line of lines) console.log(line);
  console.log("");
}
