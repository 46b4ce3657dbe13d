import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, it } from "node:test";
import { patientFetch } from "./server-client.ts";

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  response.writeHead(request.url === "/no" ? 422 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ method: request.method, token: request.headers.authorization, body }));
}

await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
after(() => server.close());
const { port } = server.address() as AddressInfo; // it listens on a port
const address = `http://127.0.0.1:${port}`;

it("sends the request and responds like fetch", async () => {
  const headers = { authorization: "Bearer x" };
  const accepted = await patientFetch(`${address}/yes`, { method: "POST", headers, body: "{}" });
  assert.deepEqual([accepted.ok, await accepted.json()], [true, { method: "POST", token: "Bearer x", body: "{}" }]);
  const refused = await patientFetch(`${address}/no`);
  assert.deepEqual([refused.status, refused.headers.get("content-type")], [422, "application/json"]);
  await refused.text();
});

it("rejects an address without a server", async () => {
  await assert.rejects(patientFetch("http://127.0.0.1:1/"), { code: "ECONNREFUSED" });
});
