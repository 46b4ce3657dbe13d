import assert from "node:assert/strict";
import { test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

const RUN = "/api/runs/RUN_ID";
const NO_RUN = "/api/runs/019a9c5e-7b1a-7cc0-8000-00000000ffff";
const MIB = 1024 * 1024;

/** Each fault of a request: status and code, then the positions that the answer must name, each with a code and a hint. */
type Refused = readonly [request: string, init: RequestInit | undefined, ...expected: readonly string[]];
const REFUSALS: readonly Refused[] = [
  ["GET /api/nothing", undefined, "404 not-found"],
  ["GET /api/runs/", undefined, "404 not-found"],
  [`GET ${NO_RUN}`, undefined, "404 run-not-found"],
  ["GET /api/runs/42/status", undefined, "404 run-not-found", "run_id invalid-format"],
  ["GET /api/runs/..%2f..%2fetc", undefined, "400 bad-request-target"],
  [`GET ${RUN}/jobs/none`, undefined, "404 job-not-found"],
  [`GET ${RUN}/jobs/%20`, undefined, "404 job-not-found", "job_id invalid-format"],
  [`GET ${RUN}/files/none.txt`, undefined, "404 file-not-found"],
  [`GET ${NO_RUN}/events`, { headers: { accept: "text/event-stream" } }, "404 run-not-found"],
  ["GET /api/networks/Imaging", undefined, "404 network-not-found", "id invalid-format"],
  ["GET /api/tools/smooth%2F1", undefined, "404 tool-not-found", "id invalid-format"],
  ["GET /api/tools/smooth/9.9", undefined, "404 version-not-found"],
  ["GET /api/tools/smooth/%C3%A9", undefined, "404 version-not-found", "version invalid-format"],
  ["PUT /api/runs", json({}), "405 method-not-allowed"],
  ["POST /healthz", json({}), "405 method-not-allowed"],
  ["GET /api/networks/imaging-cohort", { headers: { accept: "text/html" } }, "406 not-acceptable"],
  [
    "GET /api/runs?stat=RUNNING&page_size=0&q=a&q=b&state=RUNING",
    undefined,
    "422 invalid-parameters",
    "stat unknown-parameter Did you mean state?",
    "q repeated-parameter",
    "page_size too-small",
    "state invalid-value",
  ],
  [
    "GET /api/server/checks?x=1",
    undefined,
    "422 invalid-parameters",
    "x unknown-parameter There are no query parameters here",
  ],
  [
    "GET /api/events",
    { headers: { accept: "text/event-stream", "last-event-id": "x" } },
    "422 invalid-parameters",
    "last-event-id invalid-format",
  ],
  [
    "POST /api/runs",
    json({ network: "imaging-cohort" }, { "idempotency-key": "a b" }),
    "422 invalid-parameters",
    "idempotency-key invalid-format",
  ],
  [
    "POST /api/runs",
    json({ netwrok: "a", tool: 3, options: { on_failure: "explode" }, tags: { a: 1 } }),
    "422 invalid-body",
    "/tool invalid-type",
    "/tags/a invalid-type",
    "/options/on_failure invalid-value",
    "/netwrok unknown-field Did you mean network?",
  ],
  ["POST /api/runs", json("[]"), "422 invalid-body", " invalid-type"],
  ["POST /api/runs", json('{"inputs":{"__proto__":{"a":1}}}'), "422 invalid-body", "/inputs/__proto__ forbidden-key"],
  [
    "POST /shutdown",
    json({}, { "sec-fetch-site": "same-origin" }),
    "422 invalid-body",
    "/mode missing-field",
    "/confirm missing-field",
  ],
  ["POST /api/runs", json('{"network": }'), "400 malformed-json", "json-syntax 1 13"],
  ["POST /api/runs", json(""), "400 malformed-json", "empty-body"],
  [
    "POST /api/runs",
    json(`{"inputs":${"[".repeat(70)}${"]".repeat(70)}}`),
    "400 malformed-request",
    `/inputs${"/0".repeat(63)} too-deep`,
  ],
  ["POST /api/runs", { body: '{"network":"imaging-cohort"}' }, "415 unsupported-media-type"],
  ["POST /api/runs", json({}, { "content-type": "text/plain" }), "415 unsupported-media-type"],
  ["POST /api/runs", json({}, { "content-type": "application/json; charset=latin1" }), "415 unsupported-media-type"],
  ["POST /api/runs", json({}, { "content-encoding": "gzip" }), "415 unsupported-media-type"],
  ["POST /api/runs", json({ network: "none" }), "404 network-not-found"],
  ["POST /api/files", { body: "x" }, "422 invalid-parameters", "name invalid-type"],
  [
    "POST /api/files?name=a",
    { body: "x", headers: { "content-type": "multipart/mixed; boundary=x" } },
    "415 unsupported-media-type",
  ],
  [
    "POST /api/files?name=a",
    { body: "x", headers: { "content-type": "multipart/form-data" } },
    "400 malformed-request",
  ],
  [
    "POST /api/files?name=a",
    { body: "--x--\r\n", headers: { "content-type": "multipart/form-data; boundary=x" } },
    "400 malformed-request",
  ],
  ["POST /shutdown", json({ mode: "drain", confirm: "shutdown" }), "403 cross-origin"],
  ["POST /shutdown", json({ a: "x".repeat(10 * MIB) }), "413 body-too-large"],
];

test("a refusal names the fault of the request", async (t) => {
  const server = await startTestServer(t);
  const { id } = await server.startRun();
  for (const [request, init, ...expected] of REFUSALS)
    await t.test(`answers ${request} → ${expected[0]}`, async () => {
      const answer = await server.call(request.replace("RUN_ID", id), init);
      const { code, errors } = problemOf(answer);
      const found = errors.map(({ detail: _detail, ...error }) => Object.values(error).join(" "));
      assert.deepEqual([`${answer.status} ${code}`, ...found], expected, answer.text);
    });
});

test("a body without a declared length is cut off at the limit, and the connection stays open for the response", async (t) => {
  const server = await startTestServer(t);
  const chunk = Buffer.alloc(64 * 1024, " ");
  const endless = ReadableStream.from(
    (function* () {
      for (let sent = 0; sent <= 2 * MIB; sent += chunk.length) yield chunk;
    })(),
  );
  const answer = await server.call("POST /shutdown", { ...json(""), body: endless, duplex: "half" });
  assert.deepEqual([answer.status, problemOf(answer).code], [413, "body-too-large"]);
});

test("a body that starts a run may have more than 1 MiB", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call(
    "POST /api/runs",
    json({ network: "imaging-cohort", inputs: { note: "x".repeat(2 * MIB) } }),
  );
  assert.equal(answer.status, 201);
});

test("405 and OPTIONS list the methods of a path", async (t) => {
  const server = await startTestServer(t);
  assert.equal((await server.call("PATCH /api/runs", json({}))).headers.get("allow"), "GET, HEAD, OPTIONS, POST");
  const options = await server.call(`OPTIONS ${RUN}`);
  assert.deepEqual([options.status, options.headers.get("allow")], [204, "DELETE, GET, HEAD, OPTIONS"]);
  assert.equal(options.headers.get("access-control-allow-origin"), null);
});

test("a bug returns 500, with its stack in the log and no details in the response", async (t) => {
  const server = await startTestServer(t);
  t.mock.method(server.engine.runs, "list", () => {
    throw new Error("secret", { cause: new Error("the disk") });
  });
  const answer = await server.call("GET /api/runs");
  assert.equal(answer.status, 500);
  assert.equal(problemOf(answer).code, "internal-error");
  assert.doesNotMatch(answer.text, /secret|the disk| at /);
  const logged = server.log.find(({ level }) => level === "error");
  assert.match(String(logged?.["error"]), /Error: secret\n +at [^]*caused by: Error: the disk\n +at /);
  assert.equal(logged?.["request_id"], answer.headers.get("x-request-id"));
});

test("a refusal replaces the response that was begun", async (t) => {
  const server = await startTestServer(t);
  const { id, write, end } = await server.startRun();
  write("a.txt", "abc");
  await end();
  const answer = await server.call(`GET /api/runs/${id}/files/outputs/a.txt`, { headers: { range: "bytes=9-" } });
  assert.deepEqual([answer.status, answer.headers.get("content-range")], [416, "bytes */3"]);
  assert.deepEqual([answer.headers.get("content-disposition"), answer.headers.get("x-frame-options")], [null, "DENY"]);
});

test("an answer lists a hundred errors and counts the others", async (t) => {
  const server = await startTestServer(t);
  const unknown = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`u${index}`, 0]));
  for (const [request, init, counted] of [
    ["POST /api/runs", json({ network: "imaging-cohort", ...unknown }), "200 more problems are not listed"],
    ["POST /api/runs", json({ network: "imaging-cohort", tags: unknown }), "200 more problems are not listed"],
    [`GET /api/runs?${Object.keys(unknown).join("=&")}=`, undefined, "200 more problems are not listed"],
  ] as const) {
    const { errors, detail } = problemOf(await server.call(request, init));
    assert.equal(errors.length, 101);
    assert.equal(errors[100]?.code, "more-problems");
    assert.equal(errors[100]?.detail, counted);
    assert(detail.length < 200, detail);
  }
});

test("a body with very many unknown fields is refused without describing all of them", async (t) => {
  const server = await startTestServer(t);
  const unknown = (length: number) =>
    json({ network: "imaging-cohort", ...Object.fromEntries(Array.from({ length }, (_, index) => [`u${index}`, 0])) });
  const [many, tooMany] = [unknown(9_000), unknown(200_000)];
  const { errors } = problemOf(await server.call("POST /api/runs", many));
  assert.equal(errors[100]?.detail, "8,900 more problems are not listed");
  const { code, detail } = problemOf(await server.call("POST /api/runs", tooMany));
  assert.equal(code, "body-too-large");
  assert.match(detail, /more than 10000 fields/);
});

test("a list of many wrong texts and a record with too many fields are refused after the first faults", async (t) => {
  const server = await startTestServer(t);
  const post = async (fields: object) =>
    problemOf(await server.call("POST /api/runs", json({ network: "imaging-cohort", ...fields })));
  const wrong = await post({ samples: { images: Array.from({ length: 190_000 }, () => 1) } });
  assert.deepEqual([wrong.code, wrong.errors.length], ["invalid-body", 100]);
  assert.deepEqual(wrong.errors[99], {
    pointer: "/samples/images/99",
    code: "invalid-type",
    detail: "Invalid input: expected string, received number",
  });
  const tags = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`t${index}`, 1]));
  const crowded = await post({ tags });
  const shown = crowded.errors.map(({ pointer, code }) => [pointer, code]);
  assert.deepEqual(shown, [["/tags", "too-big"]]);
});
