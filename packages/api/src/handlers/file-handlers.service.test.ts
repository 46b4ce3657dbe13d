import assert from "node:assert/strict";
import { rm, symlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { ask } from "@weft/engine/testing/ask-engine.ts";
import { caller } from "@weft/engine/testing/drive-runs.ts";
import { problemOf, startTestServer, type TestServer } from "../../test/test-server.ts";

const CONTENT = "0123456789";

async function serveFile(
  server: TestServer,
  name: string,
  content = CONTENT,
): Promise<{ readonly path: string; readonly onDisk: string }> {
  const run = await server.startRun();
  run.write(name, content);
  await run.end();
  const path = `/api/runs/${run.id}/files/outputs/${encodeURIComponent(name)}`;
  return { path, onDisk: join(run.folder, "../../outputs", name) };
}

test("a file is sent whole or in part", async (t) => {
  const server = await startTestServer(t);
  const { path } = await serveFile(server, "a.txt");
  const whole = await server.call(`GET ${path}`);
  const found = [whole.status, whole.text, whole.headers.get("accept-ranges"), whole.headers.get("content-length")];
  assert.deepEqual(found, [200, CONTENT, "bytes", "10"]);
  const part = await server.call(`GET ${path}`, { headers: { range: "bytes=2-4" } });
  assert.deepEqual([part.status, part.text, part.headers.get("content-range")], [206, "234", "bytes 2-4/10"]);
  const entityTag = whole.headers.get("etag") ?? "";
  const same = await server.call(`GET ${path}`, { headers: { range: "bytes=-1", "if-range": entityTag } });
  assert.deepEqual([same.status, same.text], [206, "9"]);
  const changed = await server.call(`GET ${path}`, { headers: { range: "bytes=-1", "if-range": '"other"' } });
  assert.deepEqual([changed.status, changed.text], [200, CONTENT]);
  const since = await server.call(`GET ${path}`, {
    headers: { range: "bytes=-1", "if-range": whole.headers.get("last-modified") ?? "" },
  });
  assert.equal(since.status, 206);
  const known = await server.call(`GET ${path}`, { headers: { "if-none-match": entityTag } });
  assert.deepEqual([known.status, known.text], [304, ""]);
  const head = await server.call(`HEAD ${path}`);
  assert.deepEqual([head.status, head.headers.get("content-length"), head.text], [200, "10", ""]);
});

test("a client that leaves in the middle of an upload is not a failure of the server", async (t) => {
  const server = await startTestServer(t);
  const begun = Promise.withResolvers<void>();
  const upload = server.engine.files.upload.bind(server.engine.files);
  t.mock.method(server.engine.files, "upload", (...asked: Parameters<typeof upload>) => {
    begun.resolve();
    return upload(...asked);
  });
  const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
  const head = `POST /api/files?name=a HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 100000`;
  socket.write(`${head}\r\nContent-Type: application/octet-stream\r\n\r\nabc`);
  await begun.promise;
  socket.resetAndDestroy();
  await Promise.race([server.logged("An answer could not be sent"), server.logged("A request failed")]);
  assert.deepEqual(
    server.log.filter(({ level }) => level === "error"),
    [],
  );
});

test("an empty file is a file", async (t) => {
  const server = await startTestServer(t);
  const { path } = await serveFile(server, "empty.csv", "");
  const answer = await server.call(`GET ${path}`);
  const shown = [answer.status, answer.text, answer.headers.get("content-type")];
  assert.deepEqual(shown, [200, "", "text/csv; charset=utf-8"]);
});

const TYPES = [
  ["report.html", "text/html; charset=utf-8"],
  ["plot.SVG", "image/svg+xml; charset=utf-8"],
  ["run.js", "text/plain; charset=utf-8"],
  ["data.nii", "application/octet-stream"],
  ["table.csv", "text/csv; charset=utf-8"],
  ["noext", "application/octet-stream"],
] as const;

test("a file that a job wrote never acts as a page of Weft", async (t) => {
  const server = await startTestServer(t);
  for (const [name, mediaType] of TYPES) {
    const { path } = await serveFile(server, name, "<script>alert(1)</script>");
    const { headers } = await server.call(`GET ${path}`, { headers: { "accept-encoding": "gzip" } });
    const policy = headers.get("content-security-policy") ?? "";
    assert.equal(headers.get("content-type"), mediaType);
    assert.match(policy, /^sandbox; default-src 'none';.*frame-ancestors 'self'$/);
    assert.doesNotMatch(policy, /script-src|allow-/);
    const names = ["x-content-type-options", "x-frame-options", "origin-agent-cluster", "content-encoding"];
    assert.deepEqual(
      names.map((other) => headers.get(other)),
      ["nosniff", "SAMEORIGIN", "?0", null],
    );
  }
});

test("names of files are transferred unchanged", async (t) => {
  const server = await startTestServer(t);
  const { path } = await serveFile(server, 'Größe "1"; a\\b%41.txt');
  const disposition = async (query = "") =>
    (await server.call(`GET ${path}${query}`)).headers.get("content-disposition") ?? "";
  const encoded = "Gr%C3%B6%C3%9Fe%20%221%22%3B%20a%5Cb%2541.txt";
  assert.match(await disposition(), /^inline; filename=".*"; filename\*=UTF-8''/);
  assert.ok((await disposition()).endsWith(`UTF-8''${encoded}`));
  assert.match(await disposition("?download=true"), /^attachment; /);
});

test("a file that was removed or became a link is not found", async (t) => {
  const server = await startTestServer(t);
  const { path, onDisk } = await serveFile(server, "a.txt");
  await rm(onDisk);
  assert.equal(problemOf(await server.call(`GET ${path}`)).code, "file-not-found");
  await symlink("/etc/passwd", onDisk);
  assert.equal(problemOf(await server.call(`GET ${path}`)).code, "file-not-found");
  await rm(onDisk);
  await symlink("/", onDisk);
  assert.equal(problemOf(await server.call(`GET ${path}`)).code, "file-not-found");
});

test("logs are text, and clients can request only the end", async (t) => {
  const server = await startTestServer(t);
  const { id, print, warn, end } = await server.startRun();
  print("out");
  warn("<b>warning</b>");
  const log = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    server.call(`GET /api/runs/${id}/jobs/smooth/log${query}`, { headers });
  for (const headers of [{}, { range: "bytes=3-" }])
    assert.equal((await log("", headers)).headers.get("cache-control"), "no-store");
  await end();
  const whole = await log("");
  assert.deepEqual([whole.text, whole.headers.get("content-type")], ["<b>warning</b>", "text/plain; charset=utf-8"]);
  assert.equal((await log("?stream=stdout")).text, "out");
  const tail = await log("?tail=4", { range: "bytes=0-0" });
  assert.deepEqual([tail.status, tail.text, tail.headers.get("content-length")], [200, "</b>", "4"]);
  assert.equal((await log("?tail=400")).text, "<b>warning</b>");
  assert.equal((await log("", { range: "bytes=3-9" })).text, "warning");
  assert.equal(whole.headers.get("cache-control"), "private, no-cache");
});

test("an upload is the body itself, of any type, or the one file of a form", async (t) => {
  const server = await startTestServer(t);
  const form = new FormData();
  form.append("note", "about the file");
  form.append("file", new Blob([CONTENT.repeat(20_000)]), "ignored.bin");
  const bodies: readonly RequestInit[] = [
    { body: Buffer.from(CONTENT) },
    { body: "[1]", headers: { "content-type": "application/json" } },
    { body: form },
    { body: "" },
  ];
  const sizes = [];
  for (const init of bodies) {
    const answer = await server.call("POST /api/files?name=a.bin", init);
    const { name, size } = JSON.parse(answer.text);
    sizes.push([answer.status, name, size]);
  }
  assert.deepEqual(
    sizes,
    [10, 3, 200_000, 0].map((size) => [201, "a.bin", size]),
  );
});

test("an incomplete form is refused", async (t) => {
  const server = await startTestServer(t);
  const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it';
  const answer = await server.call("POST /api/files?name=a", {
    body,
    headers: { "content-type": "multipart/form-data; boundary=x" },
  });
  assert.deepEqual([answer.status, problemOf(answer).code], [400, "malformed-request"]);
});

test("an upload needs a plain file name", async (t) => {
  const server = await startTestServer(t);
  for (const name of ["..", "a%2Fb", "a%5Cb"]) {
    const answer = await server.call(`POST /api/files?name=${name}`, { body: CONTENT });
    assert.deepEqual([answer.status, problemOf(answer).errors[0]?.["code"]], [422, "invalid-name"], name);
  }
});

test("an upload that the engine refuses on its way is answered", async (t) => {
  const server = await startTestServer(t, { engineOptions: { maxUploadBytes: 100_000 } });
  const form = new FormData();
  form.append("file", new Blob(["x".repeat(4_000_000)]), "a");
  for (const body of ["x".repeat(4_000_000), form]) {
    const answer = await server.call("POST /api/files?name=a", { body });
    assert.deepEqual([answer.status, problemOf(answer).code], [413, "body-too-large"]);
  }
});

test("a client that disconnects during its upload leaves only a line in the log", async (t) => {
  const server = await startTestServer(t);
  const { files } = server.engine;
  const upload = files.upload.bind(files);
  const begun = Promise.withResolvers<void>();
  t.mock.method(files, "upload", (...asked: Parameters<typeof upload>) => {
    begun.resolve();
    return upload(...asked);
  });
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`POST /api/files?name=a HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 1000\r\n\r\nhalf`);
  await begun.promise;
  socket.destroy();
  await server.logged("The client left before its answer");
  const { entries } = await ask(server.engine, "GET /api/files", {
    caller,
    query: { location: "weft-data://uploads/" },
  });
  assert.deepEqual([entries, server.log.filter(({ level }) => level === "error")], [[], []]);
});

test("a client that expects 100-continue sends its body, unless it is too large", async (t) => {
  const server = await startTestServer(t);
  const ask = (length: number) =>
    `POST /shutdown HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`;
  assert.match(await server.raw(`${ask(2)}{}`), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 422 /);
  assert.match(await server.raw(ask(10_000_000)), /^HTTP\/1.1 413 /);
});
