import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { RouteMethods } from "@weft/engine/port/route-methods.ts";
import { type TestServer, json, startTestServer } from "../../test/test-server.ts";

/** The engine has the method. */
function watchPrunes(t: TestContext, { engine }: TestServer) {
  return t.mock.method(engine.methods as Required<RouteMethods>, "POST /api/prune");
}

test("a prune reaches the engine as requested, as a dry run only if the query says so", async (t) => {
  const server = await startTestServer(t);
  const prune = watchPrunes(t, server);
  const body = { parts: ["intermediate"], older_than_ms: 1000 };
  const dry = await server.call("POST /api/prune?dry_run=true", json(body));
  assert.equal(dry.status, 200);
  assert.equal((await server.call("POST /api/prune", json({ uploads: true }))).status, 200);
  assert.deepEqual(
    prune.mock.calls.map(({ arguments: [call] }) => [call.body, call.query.dry_run]),
    [
      [body, true],
      [{ uploads: true }, undefined],
    ],
  );
});

test("a prune that names no part of a run, or an unknown part, is refused", async (t) => {
  const server = await startTestServer(t);
  const prune = watchPrunes(t, server);
  for (const body of [{ parts: ["everything"] }, { older_than_ms: -1 }, { run_id: "all" }, { force: true }])
    assert.equal((await server.call("POST /api/prune", json(body))).status, 422, JSON.stringify(body));
  assert.equal(prune.mock.callCount(), 0);
});
