import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { RouteCall, RouteMethods } from "@weft/engine/port/route-methods.ts";
import { askArchive } from "@weft/engine/testing/ask-engine.ts";
import { problemOf, startTestServer } from "../../test/test-server.ts";

const OUTPUTS = "GET /api/runs/{run_id}/outputs.zip";

test("the outputs of a run come as an attachment that is not cached", async (t) => {
  const server = await startTestServer(t);
  const { id, write, end } = await server.startRun();
  write("report.txt", "all is well");
  await end();
  const answer = await server.call(`GET /api/runs/${id}/outputs.zip`);
  assert.equal(answer.status, 200);
  assert.match(answer.text, /^PK.*report\.txt/s);
  assert.equal(answer.headers.get("content-type"), "application/zip");
  assert.equal(answer.headers.get("content-disposition"), `attachment; filename="outputs-${id}.zip"`);
  assert.equal(answer.headers.get("cache-control"), "no-store");
});

test("HEAD makes no archive", async (t) => {
  const server = await startTestServer(t);
  const { id, write, end } = await server.startRun();
  write("report.txt", "all is well");
  await end();
  const methods = server.engine.methods as Required<RouteMethods>; // the engine has the method
  const original = { methods: { ...methods } };
  const opened = t.mock.fn();
  t.mock.method(methods, OUTPUTS, async (call: RouteCall<typeof OUTPUTS>) => ({
    ...(await askArchive(original, OUTPUTS, call)),
    open: opened,
  }));
  const answer = await server.call(`HEAD /api/runs/${id}/outputs.zip`);
  assert.deepEqual([answer.status, answer.text, opened.mock.callCount()], [200, "", 0]);
});

test("a run without outputs is refused", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  const answer = await server.call(`GET /api/runs/${id}/outputs.zip`);
  assert.deepEqual([answer.status, problemOf(answer).code], [404, "file-not-found"]);
});

test("an archive that cannot be completed ends with an error, so that clients notice", async (t) => {
  const server = await startTestServer(t);
  const { id, write, end } = await server.startRun();
  write("report.txt", "x".repeat(1_000_000));
  await end();
  const methods = server.engine.methods as Required<RouteMethods>; // the engine has the method
  const original = { methods: { ...methods } };
  t.mock.method(methods, OUTPUTS, async (call: RouteCall<typeof OUTPUTS>) => {
    const archive = await askArchive(original, OUTPUTS, call);
    return { ...archive, open: () => Readable.from(brokenOff(archive.open())) };
  });
  await assert.rejects(server.call(`GET /api/runs/${id}/outputs.zip`));
  assert.equal((await server.call("GET /healthz")).status, 200);
});

test("a bundle contains data only if it is requested", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  const name = async (query: string) =>
    (await server.call(`GET /api/runs/${id}/jobs/smooth/bundle${query}`)).headers.get("content-disposition");
  const safe = await name("");
  assert.match(safe ?? "", /^attachment; filename=".*smooth.*\.zip"$/);
  assert.equal(await name("?data=false"), safe);
  assert.notEqual(await name("?data=true"), safe);
});

/** Fails after the first part, as if a file could no longer be read. */
async function* brokenOff(whole: Readable) {
  for await (const part of whole) {
    yield part;
    throw new Error("a file is gone");
  }
}
