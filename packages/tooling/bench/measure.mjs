// What the parts of the benchmark share: one whole process measured, two ways compared, what is installed.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pinnedNode } from "../build.mjs";
import { ROOT } from "../install.mjs";

const ROUNDS = Number(process.env.WEFT_BENCH_ROUNDS ?? 5);

export const PARALLEL = availableParallelism();

/** As users start it: through the launcher, by whichever Node runs this. */
export const WEFT = [process.execPath, join(ROOT, "packages/cli/bin/weft.cjs")];

export function bareNode() {
  return pinnedNode();
}

/** Wall-clock and processor milliseconds of a command with everything that it starts. */
export function measure(command) {
  const start = performance.now();
  const shell = spawnSync("sh", ["-c", '"$@" >/dev/null; code=$?; times; exit $code', "bench", ...command], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const wallMs = performance.now() - start;
  if (shell.status !== 0) throw new Error(`${command.join(" ")} ended with ${shell.status}: ${shell.stderr}`);
  return { wallMs, cpuMs: childTimes(shell.stdout) };
}

/** The second line of `times`: user and system time of the children. */
function childTimes(text) {
  const line = text.trim().split("\n").at(-1);
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, min, s]) => sum + Number(min) * 60_000 + Number(s) * 1000,
    0,
  );
}

/** What `more` costs beyond `less`, for each of `count` things: what starting costs drops out. */
export function perPiece(less, more, count) {
  return { wallMs: (more.wallMs - less.wallMs) / count, cpuMs: (more.cpuMs - less.cpuMs) / count };
}

/** Prints the median ratios of one way to another over interleaved rounds; the first round warms caches. */
export async function compare(name, one, other, rounds = ROUNDS) {
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

/** Others of the field are measured where they are installed. */
export function isInstalled(command) {
  return spawnSync("sh", ["-c", `command -v ${command}`], { stdio: "ignore" }).status === 0;
}

export function skip(name, command) {
  console.log(`${name}: ${command} is not installed`);
}
