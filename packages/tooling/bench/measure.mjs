// Shared code of the benchmark: comparisons of two ways, and the installed programs.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pinnedNode } from "../build.mjs";
import { ROOT } from "../install.mjs";
import { startServer } from "./serving.mjs";

/** The folder in which `bench` assembles the package that it measures: Weft as users install it. */
export const PACKAGE = join(ROOT, "node_modules/.cache/weft/package");

const PROGRAM = join(PACKAGE, "bin/weft.js");

/** The words of the command `weft`, without its arguments. */
export function weft() {
  return [pinnedNode(), PROGRAM];
}

/** `startServer` with the server of the package. */
export function startInstalled(args, options) {
  return startServer(args, { ...options, weft: [PROGRAM] });
}

export function bareNode() {
  return pinnedNode();
}

/** How often `compare` measures unless its caller says otherwise. */
let usualRounds = 5;

export function setRounds(rounds) {
  usualRounds = rounds;
}

/** Prints the median ratios of one way to another over interleaved rounds. The first round warms caches and does not count. */
export async function compare(name, one, other, rounds = usualRounds) {
  const pairs = [];
  for (let round = 0; round <= rounds; round++) pairs.push([await one(), await other()]);
  const counted = pairs.slice(1);
  const ratioOf = (key) => median(counted.map(([a, b]) => a[key] / b[key])).toFixed(2);
  const mediansOf = (key) =>
    [0, 1].map((side) => median(counted.map((pair) => pair[side][key])).toFixed(1)).join(" and ");
  const cpu = counted[0][0].cpuMs > 0 ? `, processor time ${ratioOf("cpuMs")} (${mediansOf("cpuMs")} ms)` : "";
  console.log(`${name}: ${ratioOf("wallMs")} (${mediansOf("wallMs")} ms)${cpu}`);
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** The benchmark measures only those other engines that are installed. */
export function isInstalled(command) {
  return spawnSync("sh", ["-c", `command -v ${command}`], { stdio: "ignore" }).status === 0;
}

export function skip(name, command) {
  console.log(`${name}: ${command} is not installed`);
}
