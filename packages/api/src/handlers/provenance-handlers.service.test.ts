import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

describe("the provenance of a run", () => {
  const cases: [string, string, string][] = [
    ["", "application/json; charset=utf-8", "prefix"],
    ["?format=ro-crate-metadata", "application/ld+json; charset=utf-8", "@graph"],
    ["?format=ro-crate", "application/zip", "ro-crate-metadata.json"],
  ];
  for (const [query, mediaType, content] of cases)
    test(`comes as ${mediaType} for "${query}"`, async (t) => {
      const server = await startTestServer(t);
      const { id, end } = await server.startRun();
      await end();
      const answer = await server.call(`GET /api/runs/${id}/provenance${query}`);
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, mediaType]);
      assert.ok(answer.text.includes(content));
    });

  test("names the file of a crate, and refuses an unknown format", async (t) => {
    const server = await startTestServer(t);
    const { id, end } = await server.startRun();
    const open = await server.call(`GET /api/runs/${id}/provenance?format=ro-crate`);
    assert.deepEqual([open.status, problemOf(open).code], [409, "conflict"]);
    await end();
    const crate = await server.call(`GET /api/runs/${id}/provenance?format=ro-crate`);
    assert.equal(crate.headers.get("content-disposition"), `attachment; filename="crate-${id}.zip"`);
    assert.equal((await server.call(`GET /api/runs/${id}/provenance?format=xml`)).status, 422);
  });
});

describe("importing a crate", () => {
  test("answers 201 with the location of the imported run, and 422 for a file that is not a zip", async (t) => {
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
});

describe("reproducing a run", () => {
  test("answers 201 with the location of the new run", async (t) => {
    const server = await startTestServer(t);
    const { id, end } = await server.startRun();
    await end();
    const answer = await server.call(`POST /api/runs/${id}/reproduce`, json({}));
    assert.equal(answer.status, 201);
    assert.match(answer.headers.get("location") ?? "", /\/api\/runs\//);
  });

  test("is refused with an invalid tolerance, and for an unknown run", async (t) => {
    const server = await startTestServer(t);
    const { id } = await server.startRun();
    const wrong = await server.call(`POST /api/runs/${id}/reproduce`, json({ tolerance: { relative: 2 } }));
    assert.deepEqual([wrong.status, problemOf(wrong).code], [422, "invalid-body"]);
    const unknown = `${id.slice(0, -4)}ffff`;
    assert.equal((await server.call(`POST /api/runs/${unknown}/reproduce`, json({}))).status, 404);
  });
});
