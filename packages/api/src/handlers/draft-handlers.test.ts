import assert from "node:assert/strict";
import { test } from "node:test";
import { DRAFT_ID } from "../../test/fake-drafts.ts";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

const DRAFT = `/api/drafts/${DRAFT_ID}`;

test("a change of a draft names the revision that it is based on", async (t) => {
  const server = await startTestServer(t);
  const read = await server.call(`GET ${DRAFT}`);
  assert.equal(read.headers.get("etag"), '"1"');
  assert.equal((await server.call(`GET ${DRAFT}`, { headers: { "if-none-match": '"1"' } })).status, 304);
  const saved = await server.call(`POST ${DRAFT}`, json({ text: "a" }, { "if-match": '"1"' }));
  assert.deepEqual([saved.status, JSON.parse(saved.text).revision], [200, 2]);
  const stale = await server.call(`POST ${DRAFT}`, json({ text: "a" }, { "if-match": '"7"' }));
  assert.deepEqual([stale.status, problemOf(stale).code], [412, "precondition-failed"]);
  for (const headers of [{}, { "if-match": "*" }, { "if-match": 'W/"1"' }, { "if-match": '"1", "2"' }]) {
    const refused = await server.call(`POST ${DRAFT}`, json({ text: "a" }, headers));
    assert.deepEqual([refused.status, problemOf(refused).code], [422, "invalid-parameters"]);
  }
});

test("an action on a draft may name the revision that its user has seen, and is refused for any other", async (t) => {
  const server = await startTestServer(t);
  const actions = ["POST /runs", "POST /plans", "POST /tests", "GET /check", "GET /packed", "GET /sources.zip"];
  for (const action of actions) {
    const [method = "", path = ""] = action.split(" ");
    const request = (headers: Record<string, string>) => (method === "POST" ? json({}, headers) : { headers });
    for (const headers of [{}, { "if-match": '"1"' }]) {
      const answer = await server.call(`${method} ${DRAFT}${path}`, request(headers));
      assert.equal(Math.floor(answer.status / 100), 2, `${action} ${answer.text}`);
    }
    const stale = await server.call(`${method} ${DRAFT}${path}`, request({ "if-match": '"7"' }));
    assert.deepEqual([stale.status, problemOf(stale).code], [412, "precondition-failed"], action);
    const wrong = await server.call(`${method} ${DRAFT}${path}`, request({ "if-match": "*" }));
    assert.deepEqual([wrong.status, problemOf(wrong).code], [422, "invalid-parameters"], action);
  }
});

test("a server without the workbench refuses drafts and publishing, and still shows its catalog", async (t) => {
  const server = await startTestServer(t, { workbench: false });
  const refused = [
    await server.call("GET /api/drafts"),
    await server.call("POST /api/drafts", json({ kind: "tool", id: "a" })),
    await server.call(`GET ${DRAFT}/check`),
    await server.call(`POST ${DRAFT}/runs`, json({})),
    await server.call(`POST ${DRAFT}/publish`, json({ version: "1.0.0" }, { "if-match": '"1"' })),
    await server.call(`DELETE ${DRAFT}`),
  ];
  for (const answer of refused) assert.match(problemOf(answer).detail, /--no-workbench/);
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 404),
  );
  assert.equal((await server.call("GET /api/documents")).status, 200);
  assert.equal(JSON.parse((await server.call("GET /api/session")).text).workbench, false);
});
