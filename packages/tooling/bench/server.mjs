import { createServer } from "node:http";
import { join } from "node:path";
import { compare } from "./measure.mjs";
import { startServer } from "./serving.mjs";

const REQUESTS = 2000;

/** The status and list routes against a bare server that answers the same bytes. */
export async function benchServer(folder) {
  const server = await startServer(["--state", join(folder, "state")]);
  const run = await server.runToEnd({ network: "practice-load", inputs: { count: 20, seconds: 0 } });
  for (const [name, url] of [
    ["status", `${server.address}/api/runs/${run.run_id}/status`],
    ["list", `${server.address}/api/runs`],
  ]) {
    const body = Buffer.from(await (await fetch(url)).arrayBuffer());
    const bare = createServer((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );
    await new Promise((resolve) => bare.listen(0, "127.0.0.1", resolve));
    await compare(
      `${REQUESTS} requests of the ${name} route, weft / bare node:http`,
      () => load(url),
      () => load(`http://127.0.0.1:${bare.address().port}/`),
    );
    bare.close();
  }
  await server.stop();
}

/** A bounded number of requests, eight at a time. */
async function load(url) {
  let left = REQUESTS;
  const start = performance.now();
  const worker = async () => {
    while (left-- > 0) await (await fetch(url)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return { wallMs: performance.now() - start };
}
