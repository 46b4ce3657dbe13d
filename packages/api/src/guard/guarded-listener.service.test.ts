import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { json, problemOf, startTestServer } from "../../test/test-server.ts";

const SOCKET =
  "GET /api/events HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";

/** Requests as bytes, with `{host}` in place of the right Host; each must be refused with this status and code. */
const ATTACKS: Readonly<Record<string, readonly [head: string, refusal: string]>> = {
  "a rebound name": ["GET /api/runs HTTP/1.1\r\nHost: evil.example:80\r\n", "421 misdirected-request"],
  "a rebound name for a page": ["GET / HTTP/1.1\r\nHost: evil.example\r\n", "421 misdirected-request"],
  "a rebound name for an asset": ["GET /static/x.js HTTP/1.1\r\nHost: evil.example\r\n", "421 misdirected-request"],
  "another port": ["GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n", "421 misdirected-request"],
  "a user in Host": ["GET / HTTP/1.1\r\nHost: a@{host}\r\n", "400 bad-request-target"],
  "two Host headers": ["GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n", "400 bad-request-target"],
  "no Host": ["GET / HTTP/1.0\r\n", "400 bad-request-target"],
  "no Host, although HTTP/1.1 requires it": ["GET / HTTP/1.1\r\n", "400 bad-request-target"],
  "an unknown expectation": ["GET /API/runs HTTP/1.1\r\nHost: {host}\r\nExpect: more\r\n", "404 not-found"],
  "absolute form": ["GET http://{host}/api/runs HTTP/1.1\r\nHost: {host}\r\n", "400 bad-request-target"],
  "absolute form that is not an address": ["GET http://[::1 HTTP/1.1\r\nHost: {host}\r\n", "400 bad-request-target"],
  "asterisk form": ["OPTIONS * HTTP/1.1\r\nHost: {host}\r\n", "400 bad-request-target"],
  "escapes that are not UTF-8": ["GET /api/runs?q=%ff HTTP/1.1\r\nHost: {host}\r\n", "400 bad-request-target"],
  "a socket without a key": [SOCKET, "400 bad-request-target"],
  "a socket with an unknown parameter": [SOCKET.replace("events", "events?since=1"), "422 invalid-parameters"],
  "a null character": ["GET /api/%00 HTTP/1.1\r\nHost: {host}\r\n", "400 bad-request-target"],
  climbing: ["GET /static/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: {host}\r\n", "400 bad-request-target"],
  "headers of 20 KiB": [`GET / HTTP/1.1\r\nHost: {host}\r\nX: ${"x".repeat(20_000)}\r\n`, "431 headers-too-large"],
  "no HTTP": ["HELLO\r\n", "400 bad-request-target"],
  "another spelling of a path": ["GET /API/runs HTTP/1.1\r\nHost: {host}\r\n", "404 not-found"],
  "a foreign page": [
    "DELETE /api/runs/x HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n",
    "403 cross-origin",
  ],
  "a foreign page with another spelling": [
    "POST /API/RUNS HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n",
    "403 cross-origin",
  ],
  "a sandboxed page": ["POST /api/runs HTTP/1.1\r\nHost: {host}\r\nOrigin: null\r\n", "403 cross-origin"],
  "a page on another port": [
    "POST /shutdown HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: same-site\r\n",
    "403 cross-origin",
  ],
  "a form of a foreign page without Origin": [
    "POST /api/files?name=a HTTP/1.1\r\nHost: {host}\r\nReferer: http://evil.example/\r\n",
    "403 cross-origin",
  ],
  "a tunnel": ["CONNECT evil.example:80 HTTP/1.1\r\nHost: {host}\r\n", "405 method-not-allowed"],
  "an unknown method": ["PROPFIND /api/runs HTTP/1.1\r\nHost: {host}\r\n", "405 method-not-allowed"],
};

test("requests that must not get through", async (t) => {
  const server = await startTestServer(t);
  for (const [name, [head, refusal]] of Object.entries(ATTACKS))
    await t.test(name, async () => {
      const closing = head.includes("HTTP/1.1") ? "Connection: close\r\n" : "";
      const answer = await server.raw(`${head.replaceAll("{host}", `127.0.0.1:${server.port}`)}${closing}\r\n`);
      const [top = "", body = ""] = answer.split("\r\n\r\n");
      assert.match(top, /^x-content-type-options: nosniff$/im);
      assert.match(top, /^content-security-policy: default-src 'none'/im);
      assert.doesNotMatch(top, /^(x-powered-by|server|access-control-allow-origin):/im);
      assert.equal(`${top.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)} ${JSON.parse(body).code}`, refusal);
    });
});

test("a client that requests a tunnel and disconnects does not end the server", async (t) => {
  const server = await startTestServer(t);
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    const sent = `CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`;
    await new Promise((resolve) => void socket.write(sent, resolve));
    socket.resetAndDestroy();
  }
  assert.equal((await server.call("GET /healthz")).status, 200);
});

test("ignores curl's offer of HTTP/2", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.raw(
    `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1.1 200 /);
});

test("serves everything with and without the prefix of a base address, and links have it", async (t) => {
  const server = await startTestServer(t, { baseUrl: "https://lab.example/weft" });
  await server.startRun();
  for (const path of ["/weft/api/runs", "/api/runs"]) {
    const [run] = JSON.parse((await server.call(`GET ${path}`)).text).runs;
    assert.equal(run.url, `https://lab.example/weft/api/runs/${run.run_id}`);
  }
  assert.equal((await server.call("GET /weftapi/runs")).status, 404);
  assert.equal((await server.call("GET /weft/api/doc")).headers.get("location"), "/weft/api/doc/");
  const start = (origin: string) => server.call("POST /weft/api/runs", json({ network: "imaging-cohort" }, { origin }));
  assert.equal((await start("https://lab.example")).status, 201);
  assert.equal(problemOf(await start("https://evil.example")).code, "cross-origin");
});

for (const [how, leave] of [
  ["closes", (socket: Socket) => socket.destroy()],
  ["resets", (socket: Socket) => socket.resetAndDestroy()],
] as const)
  test(`a connection that its client ${how} before its account is known is nobody's request`, async (t) => {
    const server = await startTestServer(t);
    const body = "x".repeat(100_000);
    const request = `POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
        await once(socket, "connect");
        socket.write(request, () => leave(socket));
        await once(socket, "close");
      }),
    );
    const ask = "GET /api/audit HTTP/1.1\r\nConnection: close\r\nHost: ";
    // The server looks twice for a peer that it does not find.
    for (const _look of [1, 2]) await server.raw(`${ask}127.0.0.1:${server.port}\r\n\r\n`);
    const { entries } = JSON.parse((await server.call("GET /api/audit?refused=true")).text);
    assert.deepEqual(entries, []);
  });
