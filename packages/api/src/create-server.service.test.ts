import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "@weft/shared/routes/routes.ts";
import { HAPPY_REQUESTS, prepareHappy } from "../test/happy-requests.ts";
import { startFakeServer } from "../test/fake-server.ts";
import { startTestServer } from "../test/test-server.ts";

test("every declared route answers as declared", async (t) => {
  const server = await startFakeServer(t);
  await prepareHappy(server.engine);
  for (const [route, request, status, init] of HAPPY_REQUESTS) {
    await t.test(`${route}: ${request}`, async () => {
      const answer = await server.call(request, init);
      assert.equal(answer.status, status, answer.text);
    });
  }
  assert.deepEqual([...new Set(HAPPY_REQUESTS.map(([route]) => route))].toSorted(), Object.keys(routes).toSorted());
});

test("HEAD answers every GET route with the same headers and no body", async (t) => {
  const server = await startFakeServer(t);
  await prepareHappy(server.engine);
  for (const [, request, status] of HAPPY_REQUESTS.filter(([route]) => route.startsWith("GET "))) {
    const get = await server.call(request);
    const head = await server.call(request.replace("GET", "HEAD"));
    assert.deepEqual([head.status, head.text], [status, ""], request);
    assert.equal(head.headers.get("content-type"), get.headers.get("content-type"), request);
    assert.equal(head.headers.get("etag"), get.headers.get("etag"), request);
  }
});

/** Downloads are sent while they are made, and metrics are never the same. */
const WITHOUT_TAG: ReadonlySet<string> = new Set([
  "GET /api/runs/{run_id}/outputs.zip",
  "GET /api/runs/{run_id}/table/export",
  "GET /api/tools/{id}/{version}/sources.zip",
  "GET /api/networks/{id}/sources.zip",
  "GET /api/drafts/{draft_id}/sources.zip",
  "GET /api/drafts/{draft_id}/packed",
  "GET /api/runs/{run_id}/jobs/{job_id}/bundle",
  "GET /metrics",
  "GET /ga4gh/wes/v1/runs/{run_id}/stderr",
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/containerfile",
]);

test("whoever has an answer to GET already is told so", async (t) => {
  const server = await startFakeServer(t);
  await prepareHappy(server.engine);
  const reads = HAPPY_REQUESTS.filter(([route]) => route.startsWith("GET ") && !WITHOUT_TAG.has(route));
  for (const [, request] of reads) {
    const entityTag = (await server.call(request)).headers.get("etag") ?? "";
    assert.notEqual(entityTag, "", request);
    const known = await server.call(request, { headers: { "if-none-match": `"other", ${entityTag}` } });
    assert.deepEqual([known.status, known.text, known.headers.get("etag")], [304, "", entityTag], request);
    assert.equal((await server.call(request, { headers: { "if-none-match": '"other"' } })).status, 200, request);
  }
});

test("options that would open the service to others are refused before anything listens", async (t) => {
  const exposed = startTestServer(t, { host: "0.0.0.0" });
  await assert.rejects(exposed, { name: "ServerConfigurationError", exitCode: 78 });
  await assert.rejects(startTestServer(t, { baseUrl: "lab.example" }), { name: "ServerConfigurationError" });
});

test("a port that is taken is the system's error", async (t) => {
  const first = await startTestServer(t);
  await assert.rejects(startTestServer(t, { port: first.port }), { code: "EADDRINUSE" });
});
