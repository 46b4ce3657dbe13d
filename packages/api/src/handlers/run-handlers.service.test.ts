import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { caller } from "@weft/engine/testing/drive-runs.ts";
import { json, problemOf, startTestServer, type TestServer } from "../../test/test-server.ts";
import { runsOf } from "@weft/engine/testing/ask-runs.ts";

const NETWORK = { network: "imaging-cohort" };

/** More outputs than a record shows. */
const MANY_FILES = 300;

/** Resolves when a request begins to wait for a change of a run. */
function waitBegins(t: TestContext, { engine: { runs } }: TestServer): Promise<{ readonly ended: Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<{ readonly ended: Promise<void> }>();
  const wait = runs.waitForChange.bind(runs);
  t.mock.method(runs, "waitForChange", (...asked: Parameters<typeof wait>) => {
    const ended = wait(...asked);
    resolve({ ended });
    return ended;
  });
  return promise;
}

test("the response for a new run contains its location and revision", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call("POST /api/runs", json(NETWORK));
  const run = JSON.parse(answer.text);
  assert.equal(answer.headers.get("location"), `${server.address}/api/runs/${run.run_id}`);
  assert.equal(answer.headers.get("etag"), `W/"${run.run_id}-${run.revision}"`);
  assert.deepEqual([run.owner, run.status], ["local", `${server.address}/api/runs/${run.run_id}/status`]);
});

test("an idempotency key gives the run that exists, quoted or bare", async (t) => {
  const server = await startTestServer(t);
  const post = (key: string, body: unknown) => server.call("POST /api/runs", json(body, { "idempotency-key": key }));
  const first = await post("abc", NETWORK);
  const second = await post('"abc"', NETWORK);
  assert.equal(JSON.parse(second.text).run_id, JSON.parse(first.text).run_id);
  const found = [first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed"), second.status];
  assert.deepEqual(found, [null, "true", 201]);
  const other = await post("abc", { tool: "smooth" });
  assert.deepEqual([other.status, problemOf(other).code], [409, "idempotency-key-reused"]);
});

test("a run's name is one line with a character that people see", async (t) => {
  const server = await startTestServer(t);
  for (const name of ["", "  ", "a\nb", "a\u0000b", "a\u001b[2Jb"]) {
    const answer = await server.call("POST /api/runs", json({ ...NETWORK, name }));
    assert.deepEqual([answer.status, problemOf(answer).errors[0]?.pointer], [422, "/name"], JSON.stringify(name));
  }
});

test("an empty idempotency key is refused, because many requests could share it", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call("POST /api/runs", json(NETWORK, { "idempotency-key": '""' }));
  assert.deepEqual([answer.status, problemOf(answer).errors[0]?.parameter], [422, "idempotency-key"]);
});

test("a run that has ended is retried, with a body or without one", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  const path = `POST /api/runs/${id}/retry`;
  const open = await server.call(path);
  assert.deepEqual([open.status, problemOf(open).code], [409, "conflict"]);
  await end(1);
  const bare = await server.call(path);
  const again = JSON.parse(bare.text);
  assert.equal(bare.status, 201);
  assert.equal(bare.headers.get("location"), `${server.address}/api/runs/${again.run_id}`);
  const edited = await server.call(path, json({ inputs: { note: "again" } }));
  assert.deepEqual([edited.status, JSON.parse(edited.text).inputs], [201, { note: "again" }]);
  const count = async () => JSON.parse((await server.call("GET /api/runs")).text).total;
  const before = await count();
  const planned = await server.call(`${path}?dry_run=true`, json({}));
  assert.deepEqual([planned.status, await count()], [200, before]);
});

test("a retry honors its idempotency key, and refuses unknown fields", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  await end();
  const retry = (body: unknown) => server.call(`POST /api/runs/${id}/retry`, json(body, { "idempotency-key": "k" }));
  const first = await retry({});
  const second = await retry({});
  assert.equal(JSON.parse(second.text).run_id, JSON.parse(first.text).run_id);
  assert.equal(second.headers.get("idempotency-replayed"), "true");
  assert.equal(problemOf(await retry({ inputs: { note: "other" } })).code, "idempotency-key-reused");
  const wrong = await server.call(`POST /api/runs/${id}/retry`, json({ sample: ["a"] }));
  assert.deepEqual([wrong.status, problemOf(wrong).errors?.[0]?.pointer], [422, "/sample"]);
  const other = await server.call("POST /api/runs/019a9c5e-7b1a-7cc0-8000-0000000000ff/retry");
  assert.deepEqual([other.status, problemOf(other).code], [404, "run-not-found"]);
});

test("a draining server accepts no run, but still plans", async (t) => {
  const server = await startTestServer(t);
  await server.startRun();
  void server.engine.stop("drain");
  const refused = await server.call("POST /api/runs", json(NETWORK));
  const shown = [refused.status, problemOf(refused).code, refused.headers.get("retry-after")];
  assert.deepEqual(shown, [503, "draining", "10"]);
  assert.equal((await server.call("POST /api/runs?dry_run=true", json(NETWORK))).status, 200);
  assert.equal((await server.call("GET /readyz")).status, 503);
  assert.equal((await server.call("GET /healthz")).status, 200);
});

test("a run and its status are sent again only when they have changed", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  for (const path of [`/api/runs/${id}`, `/api/runs/${id}/status`]) {
    const first = await server.call(`GET ${path}`);
    const known = { headers: { "if-none-match": first.headers.get("etag") ?? "" } };
    const actual = [(await server.call(`GET ${path}`, known)).status, first.headers.get("cache-control")];
    assert.deepEqual(actual, [304, "private, no-cache"]);
    await runsOf(server.engine).describe(caller, id, { note: `read ${path}` });
    assert.equal((await server.call(`GET ${path}`, known)).status, 200);
  }
});

test("Prefer: wait answers as soon as the run changes", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  const known = (await server.call(`GET /api/runs/${id}/status`)).headers.get("etag") ?? "";
  const begun = waitBegins(t, server);
  const waiting = server.call(`GET /api/runs/${id}/status`, {
    headers: { prefer: "wait=600", "if-none-match": known },
  });
  await begun;
  await runsOf(server.engine).describe(caller, id, { note: "changed" });
  const answer = await waiting;
  await end();
  assert.deepEqual(
    [answer.status, JSON.parse(answer.text).state, answer.headers.get("preference-applied")],
    [200, "RUNNING", "wait=60"],
  );
});

test("Prefer: wait does not wait if the client has an old revision or the run has ended", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  const status = (known: string) =>
    server.call(`GET /api/runs/${id}/status`, { headers: { prefer: "wait=60", "if-none-match": known } });
  assert.equal((await status(`W/"${id}-1"`)).status, 200);
  const { revision } = await end();
  const waits = t.mock.method(server.engine.runs, "waitForChange").mock;
  assert.equal((await status(`W/"${id}-${revision}"`)).status, 304);
  assert.equal(waits.callCount(), 0);
});

test("a pending wait is answered when the server closes", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  const begun = waitBegins(t, server);
  const waiting = server.call(`GET /api/runs/${id}/status`, { headers: { prefer: "wait=60" } });
  await begun;
  await server.close();
  assert.equal((await waiting).status, 200);
});

test("DELETE returns 204 when all processes have ended, 202 while the proof is pending", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  const canceling = { ...server.engine.runs.status(caller, id), state: "CANCELING" } as const;
  const abort = t.mock.method(server.engine.runs, "abort", async () => canceling);
  const outstanding = await server.call(`DELETE /api/runs/${id}`);
  assert.deepEqual([outstanding.status, JSON.parse(outstanding.text).state], [202, "CANCELING"]);
  assert.equal(outstanding.headers.get("location"), `${server.address}/api/runs/${id}/status`);
  abort.mock.restore();
  const done = await server.call(`DELETE /api/runs/${id}`);
  assert.deepEqual([done.status, done.text], [204, ""]);
});

test("a client that leaves ends its wait", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  const leaving = new AbortController();
  const begun = waitBegins(t, server);
  const waiting = fetch(`${server.address}/api/runs/${id}/status`, {
    headers: { prefer: "wait=60" },
    signal: leaving.signal,
  });
  const wait = await begun;
  leaving.abort();
  await assert.rejects(waiting);
  await wait.ended;
});

test("a record omits large values, and contains them with view=full", async (t) => {
  const server = await startTestServer(t);
  const note = "x".repeat(2_000_000);
  const { id, write, end } = await server.startRun("local", { network: "imaging-cohort", inputs: { note } });
  for (let count = 0; count < MANY_FILES; count++) write(`${count}.txt`, "");
  await end();
  const get = async (path: string) => JSON.parse((await server.call(`GET ${path}`)).text);
  const short = await get(`/api/runs/${id}`);
  assert.deepEqual([short.inputs, short.outputs], [null, null]);
  assert.equal(short.omitted.url, `${server.address}/api/runs/${id}?view=full`);
  assert.ok(short.omitted.inputs_bytes > note.length && short.omitted.outputs_bytes > MANY_FILES);
  const full = await get(`/api/runs/${id}?view=full`);
  const values = (inputs: { note: string }, outputs: { report: unknown[] }) => [inputs.note, outputs.report.length];
  assert.deepEqual([values(full.inputs, full.outputs), full.omitted], [[note, MANY_FILES], undefined]);
  assert.equal((await get(`/api/runs/${id}/outputs`)).outputs.report.length, MANY_FILES);
  const wes = await get(`/ga4gh/wes/v1/runs/${id}`);
  assert.deepEqual(values(wes.request.workflow_params, wes.outputs), [note, MANY_FILES]);
  const answer = await server.call(`GET /api/runs/${id}?view=half`);
  assert.deepEqual([answer.status, problemOf(answer).code], [422, "invalid-parameters"]);
});
