import assert from "node:assert/strict";
import { test } from "node:test";
import { problemOf, startTestServer } from "../../test/test-server.ts";

test("the outputs of a run come as an attachment that nobody keeps", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const answer = await server.call(`GET /api/runs/${id}/outputs.zip`);
  assert.deepEqual([answer.status, answer.text], [200, "zip"]);
  assert.equal(answer.headers.get("content-type"), "application/zip");
  assert.equal(answer.headers.get("content-disposition"), `attachment; filename="outputs-${id}.zip"`);
  assert.equal(answer.headers.get("cache-control"), "no-store");
});

test("HEAD makes no archive", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const answer = await server.call(`HEAD /api/runs/${id}/outputs.zip`);
  assert.deepEqual([answer.status, answer.text, server.engine.archives.opened], [200, "", 0]);
});

test("a run without outputs is refused", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  server.engine.archives.content = undefined;
  const answer = await server.call(`GET /api/runs/${id}/outputs.zip`);
  assert.deepEqual([answer.status, problemOf(answer).code], [404, "file-not-found"]);
});

test("an archive that cannot be finished breaks off, so that nobody takes it for whole", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  server.engine.archives.failure = new Error("a file is gone");
  await assert.rejects(server.call(`GET /api/runs/${id}/outputs.zip`));
  assert.equal((await server.call("GET /healthz")).status, 200);
});

test("a bundle holds data only where it was asked for", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const name = async (query: string) =>
    (await server.call(`GET /api/runs/${id}/jobs/smooth.0/bundle${query}`)).headers.get("content-disposition");
  assert.equal(await name(""), 'attachment; filename="smooth.0-safe.zip"');
  assert.equal(await name("?data=false"), 'attachment; filename="smooth.0-safe.zip"');
  assert.equal(await name("?data=true"), 'attachment; filename="smooth.0-data.zip"');
});
