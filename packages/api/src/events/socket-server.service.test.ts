import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { EventLog } from "../../test/event-log.ts";
import { EventSocketClient } from "../../test/event-socket-client.ts";
import { startTestServer } from "../../test/test-server.ts";
import { addToken, removeToken } from "../auth/tokens/token-folder.ts";
import { PING_MS } from "./socket-limits.ts";

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test("a socket is greeted and gets the events that it subscribes to, from its number on and then live", async (t) => {
  const log = new EventLog();
  const { address, startRun } = await startTestServer(t, { events: log.service });
  const { id: runId } = await startRun();
  log.append(runId, 10);
  const client = new EventSocketClient(address);
  const hello = await client.next();
  assert.ok(hello.op === "hello" && Number.isInteger(hello.quiet_ms));
  assert.deepEqual({ ...hello, quiet_ms: 0 }, { op: "hello", server: "weft/test", last_seq: 10, quiet_ms: 0 });
  client.send({ op: "subscribe", since: 4 });
  assert.deepEqual(await client.nextNumbers(6), upTo(10, 5));
  log.append(null, 2);
  assert.deepEqual(await client.nextNumbers(2), [11, 12]);
  client.send({ op: "subscribe", run_id: runId, since: 8 });
  assert.deepEqual(await client.nextNumbers(2), [9, 10]);
  log.append(null, 1);
  log.append(runId, 1);
  assert.deepEqual(await client.nextNumbers(1), [14]);
});

test("a socket that does not subscribe gets all events from its greeting on", async (t) => {
  const log = new EventLog();
  const { address } = await startTestServer(t, { events: log.service });
  log.append(null, 3);
  const client = await EventSocketClient.open(address);
  log.append(null, 2);
  assert.deepEqual(await client.nextNumbers(2), [4, 5]);
  client.send({ op: "unsubscribe" });
  client.send({ op: "ping" });
  assert.deepEqual(await client.next(), { op: "pong", last_seq: 5 });
});

test("events appended while a replay is on its way arrive once and in order", async (t) => {
  const log = new EventLog();
  const { address } = await startTestServer(t, { events: log.service });
  log.append(null, 2000, { text: "x".repeat(500) });
  const page = log.service.page.bind(log.service);
  let rounds = 30;
  t.mock.method(log.service, "page", (...asked: Parameters<typeof page>) => {
    const found = page(...asked);
    if (rounds-- > 0) log.append(null, 20);
    return found;
  });
  const client = await EventSocketClient.open(address);
  client.send({ op: "subscribe", since: 0 });
  assert.deepEqual(await client.nextNumbers(2600), upTo(2600));
  log.append(null, 1);
  assert.deepEqual(await client.nextNumbers(1), [2601]);
});

test("a number that this server has not reached is answered with reset", async (t) => {
  const log = new EventLog();
  const { address } = await startTestServer(t, { events: log.service });
  log.append(null, 3);
  const client = await EventSocketClient.open(address);
  client.send({ op: "subscribe", since: 99 });
  assert.deepEqual(await client.next(), { op: "reset", last_seq: 3 });
});

const BAD_FRAMES: readonly (readonly [frame: string | Buffer, detail: RegExp])[] = [
  ["{", /not JSON/],
  ["null", /the frame: /],
  ["[]", /the frame: /],
  ['{"op":"explode"}', /op: /],
  ['{"op":"subscribe","since":-1}', /since: /],
  ['{"op":"subscribe","since":"1"}', /since: /],
  ['{"op":"subscribe","more":1}', /the frame: .*more/],
  ['{"op":"subscribe","run_id":"none"}', /no run none/],
  [Buffer.from([0, 1]), /must be text/],
];

test("an invalid frame is answered with an error, and the socket stays open", async (t) => {
  const log = new EventLog();
  const { address } = await startTestServer(t, { events: log.service });
  const client = await EventSocketClient.open(address);
  for (const [frame, detail] of BAD_FRAMES) {
    client.socket.send(frame);
    const answer = await client.next();
    assert.equal(answer.op, "error", String(frame));
    assert.match(answer.op === "error" ? answer.detail : "", detail);
  }
  client.send({ op: "subscribe" });
  client.send({ op: "ping" });
  await client.next();
  log.append(null, 1);
  assert.deepEqual(await client.nextNumbers(1), [1]);
});

test("a frame of more than 64 KiB ends its socket", async (t) => {
  const { address } = await startTestServer(t);
  const client = await EventSocketClient.open(address);
  client.send("x".repeat(70_000));
  assert.equal(await client.closed, 1009);
});

test("a client that does not read is disconnected without effects on other clients", async (t) => {
  const log = new EventLog();
  const { address } = await startTestServer(t, { events: log.service });
  const [slow, quick] = [new EventSocketClient(address), new EventSocketClient(address)];
  for (const client of [slow, quick]) {
    await client.next();
    client.send({ op: "subscribe" });
    client.send({ op: "ping" });
    await client.next();
  }
  slow.socket.pause();
  for (let round = 0; round < 20; round += 1) {
    log.append(null, 32, { text: "x".repeat(32_000) });
    assert.deepEqual(await quick.nextNumbers(32), upTo(round * 32 + 32, round * 32 + 1));
  }
  slow.socket.resume();
  assert.equal(await slow.closed, 1013);
});

test("only pages of this server may open a socket, and only at its address", async (t) => {
  const server = await startTestServer(t);
  assert.equal(await new EventSocketClient(server.address, { origin: "http://evil.example" }).refusal(), 403);
  assert.equal(await new EventSocketClient(server.address, {}).refusal(), 403);
  assert.equal(await new EventSocketClient(server.address, { origin: "null" }).refusal(), 403);
  const upgrade = (path: string, host = `127.0.0.1:${server.port}`) =>
    server.raw(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
  assert.match(await upgrade("/api/runs"), /^HTTP\/1.1 404 [^]*"code":"not-found"/);
  assert.match(await upgrade("/API/events"), /^HTTP\/1.1 404 /);
  assert.match(await upgrade("/api/events", "evil.example"), /^HTTP\/1.1 421 /);
  assert.match(await upgrade("http://[::1"), /^HTTP\/1.1 400 /);
});

test("closing the server sends a close frame to sockets", async (t) => {
  const server = await startTestServer(t);
  const client = await EventSocketClient.open(server.address);
  await server.close();
  assert.equal(await client.closed, 1001);
});

test("opening a socket counts as a read by its caller", async (t) => {
  const rates = { reads: { perSecond: 0.001, burst: 2 }, writes: { perSecond: 0, burst: 0 } };
  const auth = { mode: "token", token: "s".repeat(43) } as const;
  const { address } = await startTestServer(t, { rates, auth });
  const headers = { authorization: `Bearer ${auth.token}` };
  for (let count = 0; count < 2; count += 1) {
    const client = await EventSocketClient.open(address, { origin: address, headers });
    await client.close();
  }
  assert.equal(await new EventSocketClient(address, { origin: address, headers }).refusal(), 429);
  assert.equal(await new EventSocketClient(address, { origin: address }).refusal(), 401);
});

test("a socket ends with the next ping after its token was revoked", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const state = temporaryFolder();
  const made = await addToken(state, { name: "ann", role: "viewer", expires_at: null });
  const auth = { mode: "token", token: "s".repeat(43), namedTokens: state } as const;
  const { address } = await startTestServer(t, { auth });
  const headers = { authorization: `Bearer ${made?.text}` };
  const client = await EventSocketClient.open(address, { origin: address, headers });
  const pinged = once(client.socket, "ping");
  t.mock.timers.tick(PING_MS);
  await pinged;
  await removeToken(state, "ann");
  t.mock.timers.tick(PING_MS);
  assert.equal(await client.closed, 1008);
  t.mock.timers.reset();
});

test("a caller who sees only own runs gets no events of other runs, even if others watch those", async (t) => {
  const state = temporaryFolder();
  const made = await addToken(state, { name: "ann", role: "runner", expires_at: null });
  const auth = { mode: "token", token: "s".repeat(43), namedTokens: state } as const;
  const log = new EventLog();
  const { address, startRun } = await startTestServer(t, { auth, privateRuns: true, events: log.service });
  const [{ id: own }, { id: other }] = [await startRun("ann"), await startRun("bob")];
  log.append(own, 1, { owner: "ann" });
  log.append(other, 1, { owner: "bob" });
  const open = async (token: string | undefined) => {
    const client = await EventSocketClient.open(address, {
      origin: address,
      headers: { authorization: `Bearer ${token}` },
    });
    client.send({ op: "subscribe", since: 0 });
    return client;
  };
  const [ann, admin] = [await open(made?.text), await open(auth.token)];
  assert.deepEqual([await ann.nextNumbers(1), await admin.nextNumbers(2)], [[1], [1, 2]]);
  log.append(other, 1);
  log.append(own, 1);
  assert.deepEqual([await ann.nextNumbers(1), await admin.nextNumbers(2)], [[4], [3, 4]]);
  ann.send({ op: "subscribe", run_id: other });
  assert.equal((await ann.next()).op, "error");
});
