import assert from "node:assert/strict";
import { test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

const stop = (mode: string, headers: Readonly<Record<string, string>> = {}) =>
  json({ mode, confirm: "shutdown" }, headers);

test("POST /shutdown from its own page stops the engine after the answer, then notifies the owner", async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = await startTestServer(t, { onShutdown: resolve });
  const stops = t.mock.method(server.engine, "stop").mock;
  await server.startRun();
  const answer = await server.call("POST /shutdown", stop("cancel", { origin: server.address }));
  assert.deepEqual([answer.status, JSON.parse(answer.text)], [202, { mode: "cancel", runs_open: 1 }]);
  await promise;
  assert.equal(stops.calls.map(({ arguments: [mode] }) => mode).join(" "), "cancel");
});

test("a second drain is refused, a drain can become a cancel, and the owner is notified once", async (t) => {
  let calls = 0;
  const ended = Promise.withResolvers<void>();
  const onShutdown = () => {
    calls += 1;
    ended.resolve();
  };
  const server = await startTestServer(t, { onShutdown });
  await server.startRun();
  const page = { "sec-fetch-site": "same-origin" };
  assert.equal((await server.call("POST /shutdown", stop("drain", page))).status, 202);
  assert.equal(problemOf(await server.call("GET /readyz")).code, "draining");
  assert.equal(problemOf(await server.call("POST /shutdown", stop("drain", page))).code, "draining");
  assert.equal((await server.call("POST /shutdown", stop("cancel", page))).status, 202);
  await ended.promise;
  assert.equal(calls, 1);
});

test("a server whose disk is full serves; one whose disk has failed is not ready", async (t) => {
  const server = await startTestServer(t);
  const problem = t.mock.getter(server.engine, "storageProblem", () => "full");
  assert.equal((await server.call("GET /readyz")).status, 200);
  problem.mock.mockImplementation(() => "failed");
  assert.equal(problemOf(await server.call("GET /readyz")).code, "storage-failed");
  assert.equal((await server.call("GET /healthz")).status, 200);
});

test("only POST /shutdown stops the server", async (t) => {
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
  assert.equal(server.engine.draining, false);
});

test("requests for the report about the machine share one examination", async (t) => {
  const begun: string[] = [];
  const { promise: until, resolve: end } = Promise.withResolvers<void>();
  const report = {
    version: "1.0.0",
    time: "2026-11-21T02:02:14.617Z",
    platform: "linux x64",
    state_folder: "/srv/weft",
  };
  const examine = async (address: string) => {
    begun.push(address);
    await until;
    return { ...report, checks: [] };
  };
  const server = await startTestServer(t, { examine });
  const asked = [server.call("GET /api/server/checks"), server.call("GET /api/server/checks")];
  await server.call("GET /healthz");
  end();
  for (const answer of await Promise.all(asked)) assert.deepEqual(JSON.parse(answer.text), { ...report, checks: [] });
  await server.call("GET /api/server/checks");
  assert.deepEqual(begun, [server.address, server.address]);
});

test("GET /api/server lists what changed since the version of a client", async (t) => {
  const server = await startTestServer(t);
  const changes = async (query: string) =>
    (JSON.parse((await server.call(`GET /api/server${query}`)).text) as { changes: { version: string }[] }).changes; // checked against the schema
  assert.deepEqual(await changes(""), []);
  assert.deepEqual(await changes("?client_version=999.0.0"), []);
  const found = (await changes("?client_version=0.1.0")).some(({ version }) => version === "0.2.0");
  assert.equal(found, true);
  for (const version of ["new", "1", "1.2", "1.2.3.4", `1.2.${"9".repeat(20)}`])
    assert.equal(problemOf(await server.call(`GET /api/server?client_version=${version}`)).code, "invalid-parameters");
});
