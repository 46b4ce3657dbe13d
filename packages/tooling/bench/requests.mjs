import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { pinnedNode } from "../build.mjs";
import { median, startInstalled } from "./measure.mjs";
import { processorMs, startListening } from "./serving.mjs";

const ROUNDS = Number(process.env.WEFT_BENCH_ROUNDS ?? 5);
const SECONDS = 2;
const LOAD = join(import.meta.dirname, "request-load.mjs");
const BARE_SERVER = join(import.meta.dirname, "bare-server.mjs");

/**
 * Compares the routes of the status and the list with a bare server that sends 400 bytes. Each server has its own
 * process; a third process sends requests to them in turns.
 */
export async function benchRequests(folder) {
  const server = await startInstalled(["--state", join(folder, "requests")]);
  const run = await server.runToEnd({ network: "practice-load", inputs: { count: 20, seconds: 0 } });
  const body = join(folder, "400.json");
  writeFileSync(body, JSON.stringify({ x: "a".repeat(392) }));
  const bare = await startListening([BARE_SERVER, body]);
  for (const [name, path, connection] of [
    ["status, keep-alive", `/api/runs/${run.run_id}/status`, "keep-alive"],
    ["list, keep-alive", "/api/runs", "keep-alive"],
    ["status, a connection each", `/api/runs/${run.run_id}/status`, "close"],
  ]) {
    const pairs = [];
    for (let round = 0; round <= ROUNDS; round++)
      pairs.push([await load(server, path, connection), await load(bare, "/", connection)]);
    printRatios(name, pairs.slice(1));
  }
  await bare.stop();
  await server.stop();
}

async function load({ address, pid }, path, connection) {
  const usedMs = processorMs(pid);
  const args = [LOAD, address + path, connection, String(SECONDS)];
  const { stdout } = await promisify(execFile)(pinnedNode(), args);
  const { count, p99Ms } = JSON.parse(stdout);
  return { perSecond: count / SECONDS, cpuUs: ((processorMs(pid) - usedMs) * 1000) / count, p99Ms };
}

function printRatios(name, pairs) {
  const ratio = (key) => median(pairs.map(([weft, bare]) => weft[key] / bare[key])).toFixed(2);
  const both = (key, digits) =>
    [0, 1].map((side) => median(pairs.map((pair) => pair[side][key])).toFixed(digits)).join(" and ");
  console.log(
    `${name}, weft / bare node:http: requests per second ${ratio("perSecond")} (${both("perSecond", 0)}), ` +
      `processor time ${ratio("cpuUs")} (${both("cpuUs", 0)} µs), 99 % ${ratio("p99Ms")} (${both("p99Ms", 1)} ms)`,
  );
}
