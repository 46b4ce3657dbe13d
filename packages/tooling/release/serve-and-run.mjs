// Starts a Weft server, has it serve its pages and run the shipped network, and stops it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";

const NETWORK = "imaging-cohort";
const PAGES = ["/", "/doc", "/networks", "/api/doc/", "/swagger.json", "/swaggerui/swagger-ui.css"];
const END_MS = 180_000;

/**
 * Returns the milliseconds until the server listened and until the run had succeeded, both from its start, and, on Linux,
 * how many threads it had when it listened.
 */
export async function serveAndRun(command, args, options = {}) {
  const startMs = performance.now();
  const server = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const errors = [];
  server.stderr.on("data", (chunk) => errors.push(chunk));
  try {
    const address = await listeningAddress(server, () => Buffer.concat(errors).toString());
    const listeningMs = performance.now() - startMs;
    const threads = process.platform === "linux" ? readdirSync(`/proc/${server.pid}/task`).length : undefined;
    for (const page of PAGES) await fetchOk(`${address}${page}`);
    await runNetwork(address);
    return { listeningMs, completeMs: performance.now() - startMs, threads };
  } finally {
    if (server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
  }
}

async function listeningAddress(server, errors) {
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /listening on (http:\S+)/.exec(line)?.[1];
    if (address !== undefined) {
      server.stdout.resume();
      return address.replace("0.0.0.0", "127.0.0.1");
    }
  }
  throw new Error(`the server ended before it listened:\n${errors()}`);
}

async function runNetwork(address) {
  const { examples } = await (await fetchOk(`${address}/api/networks/${NETWORK}`)).json();
  const body = JSON.stringify({ network: NETWORK, inputs: examples[0].inputs });
  const headers = { "Content-Type": "application/json" };
  const { run_id: id } = await (await fetchOk(`${address}/api/runs`, { method: "POST", headers, body })).json();
  const endMs = performance.now() + END_MS;
  for (;;) {
    const { state } = await (await fetchOk(`${address}/api/runs/${id}/status`)).json();
    if (state === "COMPLETE") return;
    if (!["QUEUED", "INITIALIZING", "RUNNING"].includes(state) || performance.now() > endMs) {
      const run = await (await fetchOk(`${address}/api/runs/${id}`)).text();
      throw new Error(`the run is ${state}:\n${run}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function fetchOk(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
