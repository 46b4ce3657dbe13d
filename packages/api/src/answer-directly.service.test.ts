import assert from "node:assert/strict";
import { test } from "node:test";
import { untilRun } from "@weft/engine/testing/drive-runs.ts";
import { problemOf, startTestServer } from "../test/test-server.ts";
import type { TestServer } from "../test/test-server.ts";

/** Koa answers every request that declares a body, however short. */
const THROUGH_KOA = "Content-Length: 0\r\n";

const ENCODINGS = ["gzip", "identity;q=0", "gzip, *; q=0"].map((accepted) => `Accept-Encoding: ${accepted}`);

interface RawAnswer {
  readonly status: string;
  readonly headers: readonly string[];
  readonly text: string;
}

function otherIdThan(id: string): string {
  return id.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
}

async function get(server: TestServer, path: string, headers = ""): Promise<RawAnswer> {
  const fields = `Host: 127.0.0.1:${server.port}\r\nConnection: close\r\n${headers}`;
  const bytes = await server.raw(`GET ${path} HTTP/1.1\r\n${fields}\r\n`);
  const [head = "", text = ""] = bytes.split("\r\n\r\n");
  const [status = "", ...lines] = head.split("\r\n");
  return { status, headers: lines.filter((line) => !/^(?:Date|X-Request-Id):/i.test(line)).toSorted(), text };
}

test("status and list have the same answers as through Koa", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  await end();
  // The last change of a run.
  await untilRun(server.engine, id, ({ storage }) => storage !== null);
  const paths = [`/api/runs/${id}/status`, "/api/runs", "/api/runs/x/status", `/api/runs/${otherIdThan(id)}/status`];
  for (const path of paths)
    for (const header of ["", ...ENCODINGS, "If-None-Match: *", 'If-None-Match: W/"x"']) {
      const headers = header === "" ? "" : `${header}\r\n`;
      const [direct, koa] = [await get(server, path, headers), await get(server, path, headers + THROUGH_KOA)];
      const withoutId = ({ text, ...rest }: RawAnswer) => ({ ...rest, text: text.replace(/"[0-9a-f-]{36}"/g, "") });
      assert.deepEqual(withoutId(direct), withoutId(koa), `${path} ${headers}`);
    }
});

test("a client that has the answer gets 304", async (t) => {
  const server = await startTestServer(t);
  const { id, end } = await server.startRun();
  const first = await server.call(`GET /api/runs/${id}/status`);
  const tag = `If-None-Match: ${first.headers.get("etag")}\r\n`;
  const known = await get(server, `/api/runs/${id}/status`, tag);
  assert.deepEqual([known.status, known.text], ["HTTP/1.1 304 Not Modified", ""]);
  await end();
  assert.equal((await get(server, `/api/runs/${id}/status`, tag)).status, "HTTP/1.1 200 OK");
});

test("direct answers and all others take from the same limit, each request once", async (t) => {
  const rates = { reads: { perSecond: 0.001, burst: 5 }, writes: { perSecond: 0, burst: 0 } };
  const server = await startTestServer(t, { rates });
  const { id } = await server.startRun();
  const missing = otherIdThan(id);
  const statuses = [];
  for (const path of [`${id}/status`, "", `${missing}/status`, id, `${id}/status`, `${id}/status`, ""]) {
    const answer = await server.call(`GET /api/runs${path === "" ? "" : `/${path}`}`);
    statuses.push(answer.status);
    if (answer.status === 429) assert.equal(problemOf(answer).code, "too-many-requests");
  }
  assert.deepEqual(statuses, [200, 200, 404, 200, 200, 429, 429]);
});

test("only those who are let in get a direct answer", async (t) => {
  const server = await startTestServer(t, { auth: { mode: "token", token: "secret" } });
  const { id } = await server.startRun();
  for (const path of [`/api/runs/${id}/status`, "/api/runs"]) {
    const call = (headers: Readonly<Record<string, string>>) => server.call(`GET ${path}`, { headers });
    assert.equal(problemOf(await call({})).code, "unauthorized");
    assert.equal(problemOf(await call({ authorization: "Bearer wrong" })).code, "unauthorized");
    assert.equal((await call({ authorization: "Bearer secret" })).status, 200);
    assert.match((await get(server, path, "Host: other.example\r\n")).status, /^HTTP\/1\.1 400 /);
  }
});

test("direct answers are counted and logged as all others are", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  const answer = await server.call(`GET /api/runs/${id}/status`);
  await server.call("GET /api/runs");
  const { text } = await server.call("GET /metrics");
  assert.match(
    text,
    /weft_http_requests_total\{method="GET",route="\/api\/runs\/\{run_id\}\/status",status="200"\} 1\n/,
  );
  assert.match(text, /weft_http_requests_total\{method="GET",route="\/api\/runs",status="200"\} 1\n/);
  const line = server.log.find(({ message, path }) => message === "request" && path === `/api/runs/${id}/status`);
  assert.equal(line?.["request_id"], answer.headers.get("x-request-id"));
});

test("a fault in the engine is answered and logged through Koa", async (t) => {
  const server = await startTestServer(t);
  t.mock.method(server.engine.runs, "list", () => {
    throw new Error("planted");
  });
  const answer = await server.call("GET /api/runs");
  assert.deepEqual([answer.status, problemOf(answer).code], [500, "internal-error"]);
  assert.match(String(server.log.find(({ message }) => message === "A request failed")?.["error"]), /planted/);
});
