import assert from "node:assert/strict";
import { test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";
import type { AuthOptions } from "../auth/auth-options.ts";
import { DEFAULT_RATES } from "./rate-limits.ts";
import { RateLimiter } from "./rate-limiter.ts";

test("a client may send a burst, and then as many requests as its bucket refills", () => {
  let nowMs = 0;
  const limiter = new RateLimiter({ perSecond: 2, burst: 3, now: () => nowMs });
  const take = (count: number, client = "a") => Array.from({ length: count }, () => limiter.take(client));
  assert.deepEqual(take(5), [0, 0, 0, 1, 1]);
  assert.deepEqual(take(1, "b"), [0]);
  nowMs = 500;
  assert.deepEqual(take(2), [0, 1]);
  nowMs = 3_600_000;
  assert.deepEqual(take(4), [0, 0, 0, 1]);
});

test("a slow rate says how long to wait; 0 turns the limit off", () => {
  const slow = new RateLimiter({ perSecond: 0.1, burst: 1, now: () => 0 });
  assert.deepEqual([slow.take("a"), slow.take("a")], [0, 10]);
  const off = new RateLimiter({ perSecond: 0, burst: 0, now: () => 0 });
  assert.deepEqual([off.take("a"), off.take("a")], [0, 0]);
});

test("the least recent of more than 10,000 clients is forgotten", () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1, now: () => 0 });
  for (let client = 0; client < 10_000; client += 1) limiter.take(String(client));
  limiter.take("0");
  limiter.take("one more");
  assert.deepEqual([limiter.take("0"), limiter.take("1")], [1, 0]);
});

test("a client that asks too often learns when to try again; reads and writes have a bucket each", async (t) => {
  const rates = { reads: { perSecond: 0.001, burst: 3 }, writes: { perSecond: 0.001, burst: 2 } };
  const server = await startTestServer(t, { rates });
  const statuses = async (request: string, init?: RequestInit) => (await server.call(request, init)).status;
  const run = json({ network: "imaging-cohort" });
  assert.deepEqual([await statuses("POST /api/runs", run), await statuses("POST /api/runs", run)], [201, 201]);
  const refused = await server.call("POST /api/runs", run);
  assert.deepEqual([refused.status, problemOf(refused).code], [429, "too-many-requests"]);
  // The bucket has been filling since the first request.
  assert.match(refused.headers.get("retry-after") ?? "", /^(?:1000|9\d\d)$/);
  for (const request of ["GET /api/runs", "HEAD /", "GET /nothing"]) assert.notEqual(await statuses(request), 429);
  for (const request of ["GET /api/runs", "GET /swagger.json", "OPTIONS /api/runs"])
    assert.equal(await statuses(request), 429, request);
});

test("clients that have not signed in have a bucket for each address", async (t) => {
  const rates = { reads: { perSecond: 0, burst: 0 }, writes: { perSecond: 0.001, burst: 1 } };
  const auth = { mode: "token", token: "secret" } as const;
  const server = await startTestServer(t, { rates, auth, trustedProxies: ["127.0.0.1"] });
  const guess = async (address: string, token = "wrong") =>
    (await server.call("POST /api/session", json({ token }, { "x-forwarded-for": address }))).status;
  assert.deepEqual([await guess("192.0.2.1"), await guess("192.0.2.1"), await guess("192.0.2.2")], [401, 429, 401]);
});

test("a server that accepts only its own account limits no rates by default", async (t) => {
  const many = Array.from({ length: DEFAULT_RATES.writes.burst * 10 }, () => "POST /healthz");
  const answered = async (auth?: AuthOptions) => {
    const server = await startTestServer(t, { rates: undefined, ...(auth === undefined ? {} : { auth }) });
    const answers = await Promise.all(many.map((request) => server.call(request)));
    return answers.some(({ status }) => status === 429);
  };
  assert.equal(await answered(), false);
  assert.equal(await answered({ mode: "token", token: "secret" }), true);
});
