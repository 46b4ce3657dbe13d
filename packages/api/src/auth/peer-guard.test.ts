import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { EventSocketClient } from "../../test/event-socket-client.ts";
import { startTestServer } from "../../test/test-server.ts";

const NOBODY = 65534;
const skip = process.getuid?.() === 0 && process.platform === "linux" ? false : "only root can become another account";

/** Sends a request as another account and gives all that comes back. */
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

test("over IPv6 the account is found as well", async (t) => {
  const server = await startTestServer(t, { host: "::1" });
  assert.equal((await server.call("GET /healthz")).status, 200);
  const client = new EventSocketClient(server.address);
  assert.equal((await client.next()).op, "hello");
  await client.close();
});
