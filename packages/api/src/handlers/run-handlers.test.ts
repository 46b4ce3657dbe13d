import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

const NETWORK = { network: "imaging-cohort" };

test("a new run says where it is and in which revision", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call("POST /api/runs", json(NETWORK));
  const run = JSON.parse(answer.text);
  assert.equal(answer.headers.get("location"), `${server.address}/api/runs/${run.run_id}`);
  assert.equal(answer.headers.get("etag"), `W/"${run.run_id}-1"`);
  assert.deepEqual([run.owner, run.status], ["local", `${server.address}/api/runs/${run.run_id}/status`]);
});

test("an idempotency key gives the run that exists, quoted or bare", async (t) => {
  const server = await startTestServer(t);
  const post = (key: string, body: unknown) => server.call("POST /api/runs", json(body, { "idempotency-key": key }));
  const first = await post("abc", NETWORK);
  const second = await post('"abc"', NETWORK);
  assert.equal(JSON.parse(second.text).run_id, JSON.parse(first.text).run_id);
  assert.deepEqual(
    [first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed"), second.status],
    [null, "true", 201],
  );
  const other = await post("abc", { tool: "smooth" });
  assert.deepEqual([other.status, problemOf(other).code], [409, "idempotency-key-reused"]);
});

test("a run that has ended is retried, with a body or without one", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const path = `POST /api/runs/${id}/retry`;
  const open = await server.call(path);
  assert.deepEqual([open.status, problemOf(open).code], [409, "conflict"]);
  server.engine.runs.change(id, "EXECUTOR_ERROR");
  const bare = await server.call(path);
  const again = JSON.parse(bare.text);
  assert.equal(bare.status, 201);
  assert.equal(bare.headers.get("location"), `${server.address}/api/runs/${again.run_id}`);
  const edited = await server.call(path, json({ inputs: { n: 2 } }));
  assert.deepEqual([edited.status, JSON.parse(edited.text).inputs], [201, { n: 2 }]);
  const count = server.engine.runs.count;
  const planned = await server.call(`${path}?dry_run=true`, json({}));
  assert.deepEqual([planned.status, server.engine.runs.count], [200, count]);
});

test("a retry honours its idempotency key, and refuses what it does not know", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  server.engine.runs.change(id, "COMPLETE");
  const retry = (body: unknown) => server.call(`POST /api/runs/${id}/retry`, json(body, { "idempotency-key": "k" }));
  const first = await retry({});
  const second = await retry({});
  assert.equal(JSON.parse(second.text).run_id, JSON.parse(first.text).run_id);
  assert.equal(second.headers.get("idempotency-replayed"), "true");
  assert.equal(problemOf(await retry({ inputs: { n: 1 } })).code, "idempotency-key-reused");
  const wrong = await server.call(`POST /api/runs/${id}/retry`, json({ sample: ["a"] }));
  assert.deepEqual([wrong.status, problemOf(wrong).errors?.[0]?.pointer], [422, "/sample"]);
  const other = await server.call("POST /api/runs/019a9c5e-7b1a-7cc0-8000-0000000000ff/retry");
  assert.deepEqual([other.status, problemOf(other).code], [404, "run-not-found"]);
});

test("while draining no run is taken, but planning goes on", async (t) => {
  const server = await startTestServer(t);
  server.engine.draining = true;
  const refused = await server.call("POST /api/runs", json(NETWORK));
  assert.deepEqual(
    [refused.status, problemOf(refused).code, refused.headers.get("retry-after")],
    [503, "draining", "10"],
  );
  assert.equal((await server.call("POST /api/runs?dry_run=true", json(NETWORK))).status, 200);
  assert.equal((await server.call("GET /readyz")).status, 503);
  assert.equal((await server.call("GET /healthz")).status, 200);
});

test("a run and its status are sent again only when they have changed", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  for (const path of [`/api/runs/${id}`, `/api/runs/${id}/status`]) {
    const first = await server.call(`GET ${path}`);
    const known = { headers: { "if-none-match": first.headers.get("etag") ?? "" } };
    assert.deepEqual(
      [(await server.call(`GET ${path}`, known)).status, first.headers.get("cache-control")],
      [304, "private, no-cache"],
    );
    server.engine.runs.change(id, "RUNNING");
    assert.equal((await server.call(`GET ${path}`, known)).status, 200);
  }
});

test("Prefer: wait answers as soon as the run changes", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const waiting = server.call(`GET /api/runs/${id}/status`, {
    headers: { prefer: "wait=600", "if-none-match": `W/"${id}-1"` },
  });
  await server.call("GET /healthz");
  server.engine.runs.change(id, "COMPLETE");
  const answer = await waiting;
  assert.deepEqual(
    [answer.status, JSON.parse(answer.text).state, answer.headers.get("preference-applied")],
    [200, "COMPLETE", "wait=60"],
  );
});

test("Prefer: wait does not wait for what the client does not know yet, nor for a run that has ended", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  server.engine.runs.change(id, "RUNNING");
  const prefer = "wait=60";
  assert.equal(
    (await server.call(`GET /api/runs/${id}/status`, { headers: { prefer, "if-none-match": `W/"${id}-1"` } })).status,
    200,
  );
  server.engine.runs.change(id, "COMPLETE");
  assert.equal(
    (await server.call(`GET /api/runs/${id}/status`, { headers: { prefer, "if-none-match": `W/"${id}-3"` } })).status,
    304,
  );
});

test("a wait that nothing ends is answered when the server closes", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const waiting = server.call(`GET /api/runs/${id}/status`, { headers: { prefer: "wait=60" } });
  await server.call("GET /healthz");
  await server.close();
  assert.equal((await waiting).status, 200);
});

test("DELETE answers 204 when nothing is left, 202 while the proof is outstanding", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  server.engine.runs.abortEndsAs = "CANCELING";
  const outstanding = await server.call(`DELETE /api/runs/${id}`);
  assert.deepEqual([outstanding.status, JSON.parse(outstanding.text).state], [202, "CANCELING"]);
  assert.equal(outstanding.headers.get("location"), `${server.address}/api/runs/${id}/status`);
  server.engine.runs.change(id, "CANCELED");
  const done = await server.call(`DELETE /api/runs/${id}`);
  assert.deepEqual([done.status, done.text], [204, ""]);
});

test("a client that leaves ends its wait", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const leaving = new AbortController();
  const answered = once(server.engine.runs.waits, "end");
  const waiting = fetch(`${server.address}/api/runs/${id}/status`, {
    headers: { prefer: "wait=60" },
    signal: leaving.signal,
  });
  await once(server.engine.runs.waits, "begin");
  leaving.abort();
  await assert.rejects(waiting);
  await answered;
});

test("a record leaves out what is large, and has all of it with view=full", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const get = async (path: string) => JSON.parse((await server.call(`GET ${path}`)).text);
  const url = `${server.address}/api/runs/${id}?view=full`;
  server.engine.runs.omitted = { inputs_bytes: 30_000, outputs_bytes: 40_000, url };
  server.engine.runs.sampleNames = { images: ["one", "two"] };
  const short = await get(`/api/runs/${id}`);
  assert.deepEqual([short.inputs, short.outputs, short.omitted], [null, null, server.engine.runs.omitted]);
  assert.equal(short.sample_names, undefined);
  const full = await get(`/api/runs/${id}?view=full`);
  assert.deepEqual(full.sample_names, { images: ["one", "two"] });
  assert.deepEqual([full.inputs, full.outputs, full.omitted], [{ is: "inputs" }, { is: "outputs" }, undefined]);
  assert.deepEqual((await get(`/api/runs/${id}/outputs`)).outputs, { is: "outputs" });
  const wes = await get(`/ga4gh/wes/v1/runs/${id}`);
  assert.deepEqual([wes.request.workflow_params, wes.outputs], [{ is: "inputs" }, { is: "outputs" }]);
  const answer = await server.call(`GET /api/runs/${id}?view=half`);
  assert.deepEqual([answer.status, problemOf(answer).code], [422, "invalid-parameters"]);
});
