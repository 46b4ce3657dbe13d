import assert from "node:assert/strict";
import { test } from "node:test";
import { json, problemOf, startTestServer, type TestServer } from "../../test/test-server.ts";

/** The path of a new draft. */
async function createDraft(server: TestServer): Promise<string> {
  const answer = await server.call("POST /api/drafts", json({ kind: "tool", id: "smooth", based_on: "1.0.0" }));
  return `/api/drafts/${JSON.parse(answer.text).draft_id}`;
}

test("a change of a draft names the revision that it is based on", async (t) => {
  const server = await startTestServer(t);
  const draft = await createDraft(server);
  const read = await server.call(`GET ${draft}`);
  assert.equal(read.headers.get("etag"), '"1"');
  assert.equal((await server.call(`GET ${draft}`, { headers: { "if-none-match": '"1"' } })).status, 304);
  const saved = await server.call(`POST ${draft}`, json({ text: "a" }, { "if-match": '"1"' }));
  assert.deepEqual([saved.status, JSON.parse(saved.text).revision], [200, 2]);
  const stale = await server.call(`POST ${draft}`, json({ text: "a" }, { "if-match": '"7"' }));
  assert.deepEqual([stale.status, problemOf(stale).code], [412, "precondition-failed"]);
  for (const headers of [{}, { "if-match": "*" }, { "if-match": 'W/"1"' }, { "if-match": '"1", "2"' }]) {
    const refused = await server.call(`POST ${draft}`, json({ text: "a" }, headers));
    assert.deepEqual([refused.status, problemOf(refused).code], [422, "invalid-parameters"]);
  }
});

test("an action on a draft may name the revision that its user has seen, and is refused for any other", async (t) => {
  const server = await startTestServer(t);
  const draft = await createDraft(server);
  const actions = ["POST /runs", "POST /plans", "POST /tests", "GET /check", "GET /packed", "GET /sources.zip"];
  for (const action of actions) {
    const [method = "", path = ""] = action.split(" ");
    const request = (headers: Record<string, string>) => (method === "POST" ? json({}, headers) : { headers });
    for (const headers of [{}, { "if-match": '"1"' }]) {
      const answer = await server.call(`${method} ${draft}${path}`, request(headers));
      assert.equal(Math.floor(answer.status / 100), 2, `${action} ${answer.text}`);
    }
    const stale = await server.call(`${method} ${draft}${path}`, request({ "if-match": '"7"' }));
    assert.deepEqual([stale.status, problemOf(stale).code], [412, "precondition-failed"], action);
    const wrong = await server.call(`${method} ${draft}${path}`, request({ "if-match": "*" }));
    assert.deepEqual([wrong.status, problemOf(wrong).code], [422, "invalid-parameters"], action);
  }
});

test("a server without the workbench refuses drafts and publishing, and still shows its catalog", async (t) => {
  const server = await startTestServer(t, { workbench: false });
  const draft = "/api/drafts/019a9c5e-7b1a-4cc0-8000-000000000002";
  const refused = [
    await server.call("GET /api/drafts"),
    await server.call("POST /api/drafts", json({ kind: "tool", id: "a" })),
    await server.call(`GET ${draft}/check`),
    await server.call(`POST ${draft}/runs`, json({})),
    await server.call(`POST ${draft}/publish`, json({ version: "1.0.0" }, { "if-match": '"1"' })),
    await server.call(`DELETE ${draft}`),
  ];
  for (const answer of refused) assert.match(problemOf(answer).detail, /--no-workbench/);
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 404),
  );
  assert.equal((await server.call("GET /api/documents")).status, 200);
  assert.equal(JSON.parse((await server.call("GET /api/session")).text).workbench, false);
});
