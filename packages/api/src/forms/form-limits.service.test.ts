import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { problemOf, startTestServer, wesForm } from "../../test/test-server.ts";

/** Every route that takes a form. */
const FORM_ROUTES = [
  "POST /api/files?name=a",
  "POST /api/provenance/crates",
  "POST /api/runs",
  "POST /ga4gh/wes/v1/runs",
] as const;

const BOUNDARIES = [
  "",
  "; boundary",
  "; boundary=",
  '; boundary=""',
  "; boundary= ",
  "; boundary=;",
  "; boundary==",
  '; boundary="a',
  "; boundary=a; boundary=",
  `; boundary=${"x".repeat(5000)}`,
  "; BOUNDARY=",
  "; charset=utf-8",
  "; boundary*=utf-8''%00",
];

for (const route of FORM_ROUTES)
  test(`${route} refuses every invalid boundary`, async (t) => {
    const server = await startTestServer(t);
    for (const boundary of BOUNDARIES) {
      const headers = { "content-type": `multipart/form-data${boundary}` };
      const answer = await server.call(route, { headers, body: "--a\r\n\r\n--a--" });
      assert.ok(answer.status === 400, `${JSON.stringify(boundary)}: ${answer.status} ${answer.text}`);
    }
  });

test("the text fields of a form share one limit", async (t) => {
  const limits = { ...DEFAULT_LIMITS, formBytes: 1000 };
  const server = await startTestServer(t, { limits });
  const wes = await server.call("POST /ga4gh/wes/v1/runs", wesForm({ a: "x".repeat(500), b: "x".repeat(500) }));
  assert.equal(wes.status, 413);
  assert.match(wes.text, /at most 1000 bytes together \(--limit form-bytes=N\)/);
  const run = new FormData();
  run.append("run", JSON.stringify({ network: "imaging-cohort", name: "x".repeat(1000) }));
  assert.equal((await server.call("POST /api/runs", { body: run })).status, 413);
});

test("the files of a form together cannot exceed its limit", async (t) => {
  const server = await startTestServer(t, { maxUploadBytes: 5000 });
  const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}.nii`, "x".repeat(600)]));
  const answer = await server.call("POST /ga4gh/wes/v1/runs", wesForm({ workflow_url: "imaging-cohort" }, files));
  assert.equal(answer.status, 413, answer.text);
});

test("a part has few headers and a short name", async (t) => {
  const server = await startTestServer(t);
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const many = Array.from({ length: 500 }, (_, index) => `x-${index}: y\r\n`).join("");
  for (const head of [many, `content-disposition: form-data; name="${"n".repeat(100_000)}"\r\n`]) {
    const answer = await server.call("POST /ga4gh/wes/v1/runs", {
      headers,
      body: `--b\r\n${head}\r\nx\r\n--b--\r\n`,
    });
    assert.ok(answer.status === 400, `${answer.status} ${answer.text}`);
  }
});

test("a caller can send eight large bodies at once, and the next one waits", async (t) => {
  const server = await startTestServer(t);
  const head = `POST /api/files?name=a HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 100\r\n\r\n`;
  const { files } = server.engine;
  const upload = files.upload.bind(files);
  const eight = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let count = 0;
  t.mock.method(files, "upload", (...asked: Parameters<typeof upload>) => {
    count += 1;
    if (count === 8) eight.resolve();
    return upload(...asked).finally(() => ended.resolve());
  });
  const begun = Array.from({ length: 8 }, () => connect(server.port, "127.0.0.1"));
  t.after(() => begun.forEach((socket) => socket.destroy()));
  for (const socket of begun) socket.write(head);
  await eight.promise;
  const refused = await server.call("POST /api/files?name=b", { body: "x" });
  assert.deepEqual([refused.status, problemOf(refused).code], [429, "too-many-requests"]);
  assert.equal(refused.headers.get("retry-after"), "1");
  begun[0]?.destroy();
  await ended.promise;
  await server.logged("The client left before its answer");
  assert.equal((await server.call("POST /api/files?name=b", { body: "x" })).status, 201);
});
