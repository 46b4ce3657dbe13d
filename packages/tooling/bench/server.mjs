import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compare, startInstalled } from "./measure.mjs";
import { processorMs, startListening } from "./serving.mjs";

const REQUESTS = 2000;

const BARE_SERVER = join(import.meta.dirname, "bare-server.mjs");

/** Compares the most frequent routes with a bare server, also in a separate process, that sends the same bytes. */
export async function benchServer(folder) {
  const server = await startInstalled(["--state", join(folder, "state")]);
  const run = await server.runToEnd({ network: "practice-load", inputs: { count: 20, seconds: 0 } });
  for (const [name, path] of [
    ["status", `/api/runs/${run.run_id}/status`],
    ["list", "/api/runs"],
    ["detail", `/api/runs/${run.run_id}`],
  ]) {
    const body = join(folder, `${name}.json`);
    await writeFile(body, await (await fetch(server.address + path)).bytes());
    const bare = await startListening([BARE_SERVER, body]);
    await compare(
      `${REQUESTS} requests of the ${name} route, weft / bare node:http`,
      () => load(server, path),
      () => load(bare, "/"),
    );
    await bare.stop();
  }
  await server.stop();
}

/** Sends a fixed number of requests, eight at a time; the processor time is only the server's. */
async function load({ address, pid }, path) {
  let left = REQUESTS;
  const [startMs, usedMs] = [performance.now(), processorMs(pid)];
  const worker = async () => {
    while (left-- > 0) await (await fetch(address + path)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return { wallMs: performance.now() - startMs, cpuMs: processorMs(pid) - usedMs };
}
