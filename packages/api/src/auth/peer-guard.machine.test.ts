import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { EventSocketClient } from "../../test/event-socket-client.ts";
import { endsOf, listen } from "../../test/loopback-connection.ts";
import { startTestServer } from "../../test/test-server.ts";
import { findPeers } from "./find-peers.ts";

const NOBODY = 65534;
const skip = process.getuid?.() === 0 && process.platform === "linux" ? false : "only root can become another account";

/** Sends a request as another account and returns the whole response. */
async function askAs(uid: number, port: number, head: string): Promise<string> {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '%b' "$0" >&3; cat <&3`;
  const child = spawn("bash", ["-c", script, head], { uid, gid: uid, stdio: ["ignore", "pipe", "inherit"] });
  return text(child.stdout);
}

test("without a login other accounts of the machine are turned away", { skip }, async (t) => {
  const server = await startTestServer(t);
  const head = (extra: string) => `HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${extra}\r\n`;
  const refused = await askAs(NOBODY, server.port, `GET /api/runs ${head("Connection: close\r\n")}`);
  assert.match(refused, /^HTTP\/1\.1 403 [^]*"code":"forbidden"/);
  assert.match(refused, /uid 65534\. Start it with --auth token .* --peer-user 65534/);
  const upgrade = `Origin: ${server.address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
  assert.match(await askAs(NOBODY, server.port, `GET /api/events ${head(upgrade)}`), /^HTTP\/1\.1 403 /);
  assert.match(await askAs(0, server.port, `GET /api/runs ${head("Connection: close\r\n")}`), /^HTTP\/1\.1 200 /);
});

test("an account that is trusted, or any that signs in, is answered", { skip }, async (t) => {
  const request = (port: number) => `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
  const trusting = await startTestServer(t, { auth: { mode: "none", peerUsers: [NOBODY] } });
  assert.match(await askAs(NOBODY, trusting.port, request(trusting.port)), /^HTTP\/1\.1 200 /);
  const asking = await startTestServer(t, { auth: { mode: "token", token: "x" } });
  assert.match(await askAs(NOBODY, asking.port, request(asking.port)), /^HTTP\/1\.1 200 /);
});

/** Opens idle connections as another account and keeps them; resolves when all are open. */
async function holdAs(t: TestContext, uid: number, wanted: { port: number; count: number; text?: string }) {
  const { port, count, text: sent = "" } = wanted;
  const open = `for n in $(seq ${count}); do exec {fd}<>/dev/tcp/127.0.0.1/${port} && printf '%b' "$0" >&$fd; done`;
  const child = spawn("bash", ["-c", `ulimit -n 4096; ${open}; echo open; sleep 60`, sent], {
    uid,
    gid: uid,
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
}

/** Connections that the server holds at a port. */
function establishedAt(port: number): number {
  const local = new RegExp(`: [0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, "0")} \\S+ 01 `, "g");
  return [...readFileSync("/proc/net/tcp", "latin1").matchAll(local)].length;
}

/** The owner gets an answer on a new connection. */
async function askAsOwner(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } });
  assert.equal(response.status, 200);
}

for (const [what, sent] of [
  ["that send nothing", ""],
  ["that begin a request", "GET /healthz HTTP/1.1\r\nHost: "],
  ["that ask", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
] as const)
  test(`400 connections of another account ${what} do not hold up the owner`, { skip }, async (t) => {
    const server = await startTestServer(t);
    const held = holdAs(t, NOBODY, { port: server.port, count: 400, text: sent });
    for (let round = 0; round < 5; round++) await askAsOwner(server.port);
    await held;
    for (let round = 0; round < 5; round++) await askAsOwner(server.port);
    while (establishedAt(server.port) > 10) await setTimeout(20);
  });

test("the processes of an account are searched for a job only if the server answers that account", async (t) => {
  const { port, accept } = await listen(t);
  const connected = accept();
  const job = spawn("bash", ["-c", `exec 3<>/dev/tcp/127.0.0.1/${port}; sleep 60`], { env: { WEFT_JOB: "r/1/1" } });
  t.after(() => job.kill("SIGKILL"));
  const wanted = [{ ends: endsOf(await connected), isSecondLook: true }];
  const own = process.getuid?.() ?? 0;
  assert.deepEqual(findPeers(wanted, { accepted: [own], diag: undefined }), ["job"]);
  assert.deepEqual(findPeers(wanted, { accepted: [], diag: undefined }), [own]);
});

test("the account is found over IPv6, too", async (t) => {
  const server = await startTestServer(t, { host: "::1" });
  assert.equal((await server.call("GET /healthz")).status, 200);
  const client = new EventSocketClient(server.address);
  assert.equal((await client.next()).op, "hello");
});
