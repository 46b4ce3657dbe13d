import assert from "node:assert/strict";
import { test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

const stop = (mode: string, headers: Readonly<Record<string, string>> = {}) =>
  json({ mode, confirm: "shutdown" }, headers);

test("POST /shutdown from a page of ours stops the engine once it has answered, then tells the owner", async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = await startTestServer(t, { onShutdown: resolve });
  const answer = await server.call("POST /shutdown", stop("cancel", { origin: server.address }));
  assert.deepEqual([answer.status, JSON.parse(answer.text)], [202, { mode: "cancel", runs_open: 2 }]);
  await promise;
  assert.deepEqual(server.engine.stops, ["cancel"]);
});

test("a second drain is refused, a drain may become a cancel, and the owner is told once", async (t) => {
  let told = 0;
  const server = await startTestServer(t, { onShutdown: () => (told += 1) });
  const page = { "sec-fetch-site": "same-origin" };
  assert.equal((await server.call("POST /shutdown", stop("drain", page))).status, 202);
  await server.call("GET /healthz");
  assert.equal(problemOf(await server.call("POST /shutdown", stop("drain", page))).code, "draining");
  assert.equal((await server.call("POST /shutdown", stop("cancel", page))).status, 202);
  await server.call("GET /healthz");
  assert.deepEqual([server.engine.stops, told], [["drain", "cancel"], 1]);
});

test("a server whose disk is full serves; one whose disk has failed is not ready", async (t) => {
  const server = await startTestServer(t);
  server.engine.storageProblem = "full";
  assert.equal((await server.call("GET /readyz")).status, 200);
  server.engine.storageProblem = "failed";
  assert.equal(problemOf(await server.call("GET /readyz")).code, "storage-failed");
  assert.equal((await server.call("GET /healthz")).status, 200);
});

test("nothing but that POST stops the server", async (t) => {
  const server = await startTestServer(t);
  const attempts = [
    server.call("GET /shutdown"),
    server.call("HEAD /shutdown"),
    server.call("OPTIONS /shutdown"),
    server.call("POST /shutdown", stop("cancel")),
    server.call("POST /shutdown", stop("cancel", { origin: "http://evil.example" })),
    server.call("POST /shutdown", stop("cancel", { origin: "null" })),
    server.call("POST /shutdown", stop("explode", { origin: server.address })),
    server.call("GET /shutdown", { headers: { "x-http-method-override": "POST" } }),
  ];
  for (const answer of await Promise.all(attempts)) assert.notEqual(answer.status, 202);
  assert.deepEqual(server.engine.stops, []);
});
