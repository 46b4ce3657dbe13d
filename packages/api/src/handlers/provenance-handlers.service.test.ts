import assert from "node:assert/strict";
import { test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

const FORMATS: readonly (readonly [query: string, mediaType: string, content: string])[] = [
  ["", "application/json; charset=utf-8", "prefix"],
  ["?format=ro-crate-metadata", "application/ld+json; charset=utf-8", "@graph"],
  ["?format=ro-crate", "application/zip", "ro-crate-metadata.json"],
];

test("the provenance of a run comes in each format, and as a crate once the run has ended", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  const read = (query: string) => server.call(`GET /api/runs/${id}/provenance${query}`);
  const open = await read("?format=ro-crate");
  assert.deepEqual([open.status, problemOf(open).code], [409, "conflict"]);
  await end();
  for (const [query, mediaType, content] of FORMATS) {
    const { status, headers, text } = await read(query);
    assert.deepEqual([status, headers.get("content-type")], [200, mediaType]);
    assert.ok(text.includes(content), query);
  }
  const { headers } = await read("?format=ro-crate");
  assert.equal(headers.get("content-disposition"), `attachment; filename="crate-${id}.zip"`);
  assert.equal((await read("?format=xml")).status, 422);
});

test("importing a crate answers 201 with the location of the run, and 422 for a file that is not a zip", async (t) => {
  const [server, other] = [await startTestServer(t), await startTestServer(t)];
  const { id, end } = await other.startRun();
  await end();
  const crate = await fetch(`${other.address}/api/runs/${id}/provenance?format=ro-crate`);
  const body = Buffer.from(await crate.arrayBuffer());
  const taken = await server.call("POST /api/provenance/crates", { body });
  assert.equal(taken.status, 201);
  assert.match(taken.headers.get("location") ?? "", /\/api\/runs\//);
  const again = await server.call("POST /api/provenance/crates", { body });
  assert.deepEqual([again.status, problemOf(again).code], [409, "conflict"]);
  const none = await server.call("POST /api/provenance/crates", { body: "" });
  assert.deepEqual([none.status, problemOf(none).code], [422, "invalid-crate"]);
});

test("a reproduction is a new run, and is refused with an invalid tolerance and for an unknown run", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  const reproduce = (run: string, body: object) => server.call(`POST /api/runs/${run}/reproduce`, json(body));
  const wrong = await reproduce(id, { tolerance: { relative: 2 } });
  assert.deepEqual([wrong.status, problemOf(wrong).code], [422, "invalid-body"]);
  assert.equal((await reproduce(`${id.slice(0, -4)}ffff`, {})).status, 404);
  await end();
  const answer = await reproduce(id, {});
  assert.equal(answer.status, 201);
  assert.match(answer.headers.get("location") ?? "", /\/api\/runs\//);
});
