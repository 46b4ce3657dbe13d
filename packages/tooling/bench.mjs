// npm run bench: ratios of Weft to a plain way of doing the same, in interleaved runs (A B A B …), medians of five.
// A ratio holds where the machine is shared and its speed drifts; a single time does not.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pinnedNode } from "./build.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";

const ROUNDS = 5;
const JOBS = 300;
const REQUESTS = 2000;
const PARALLEL = availableParallelism();

ensureInstalled();
const node = pinnedNode();
const weft = [node, "--disable-proto=delete", join(ROOT, "packages/cli/src/main.ts")];
const folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
const network = join(ROOT, "packages/catalog/networks/practice-load/practice-load.cwl");

try {
  await compare(
    `start-up: weft --version / node -e 0`,
    () => time([...weft, "--version"]),
    () => time([node, "-e", "0"]),
  );
  await compare(
    `${JOBS} trivial jobs, ${PARALLEL} at a time: weft run / xargs`,
    () => time(runOf(JOBS)),
    () => time(xargsOf(JOBS)),
  );
  await compareServer();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runOf(count) {
  const inputs = join(folder, "inputs.json");
  writeFileSync(inputs, JSON.stringify({ count, seconds: 0, children: 0 }));
  return [...weft, "run", "--quiet", "--jobs", String(PARALLEL), "--outdir", join(folder, "out"), network, inputs];
}

function xargsOf(count) {
  return [
    "sh",
    "-c",
    `seq ${count} | xargs -P ${PARALLEL} -n 1 sh -c 'sleep 0; echo "$0"' > ${join(folder, "xargs.txt")}`,
  ];
}

/** Milliseconds of a whole process. */
function time([command, ...args]) {
  const start = performance.now();
  const { status, stderr } = spawnSync(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

async function compare(name, one, other) {
  const ones = [];
  const others = [];
  for (let round = -1; round < ROUNDS; round++) {
    const pair = [await one(), await other()];
    // The first round warms caches.
    if (round < 0) continue;
    ones.push(pair[0]);
    others.push(pair[1]);
  }
  const ratio = median(ones.map((value, index) => value / others[index]));
  console.log(
    `${name}: ratio ${ratio.toFixed(2)} (medians ${median(ones).toFixed(1)} ms and ${median(others).toFixed(1)} ms)`,
  );
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Requests per second of the status and list routes against a bare server that answers the same bytes. */
async function compareServer() {
  const server = spawn(weft[0], [...weft.slice(1), "serve", "--port", "0", "--state", join(folder, "state")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const address = await new Promise((resolve) =>
    server.stdout.on("data", (chunk) => resolve(/on (\S+)/.exec(String(chunk))?.[1])),
  );
  const created = await (
    await fetch(`${address}/api/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ network: "practice-load", inputs: { count: 20, seconds: 0 } }),
    })
  ).json();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  for (const [name, url] of [
    ["status", `${address}/api/runs/${created.run_id}/status`],
    ["list", `${address}/api/runs`],
  ]) {
    const body = Buffer.from(await (await fetch(url)).arrayBuffer());
    const bare = createServer((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );
    await new Promise((resolve) => bare.listen(0, "127.0.0.1", resolve));
    await compare(
      `${REQUESTS} requests of the ${name} route: weft / bare node:http`,
      () => load(url),
      () => load(`http://127.0.0.1:${bare.address().port}/`),
    );
    bare.close();
  }
  server.kill("SIGTERM");
  await new Promise((resolve) => server.once("exit", resolve));
}

/** Milliseconds for a bounded number of requests, eight at a time. */
async function load(url) {
  let left = REQUESTS;
  const start = performance.now();
  const worker = async () => {
    while (left-- > 0) await (await fetch(url)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return performance.now() - start;
}
