import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerFrame } from "@weft/shared/events/event-record.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { EventSocket, type ConnectionStatus, type SocketListener, type SocketPort } from "./event-socket.ts";

/** A server's end of the connection: records what it receives, and sends on demand. */
class ScriptedSocket implements SocketPort {
  readonly received: string[] = [];
  readonly listener: SocketListener;
  constructor(listener: SocketListener) {
    this.listener = listener;
  }
  send(text: string): void {
    this.received.push(text);
  }
  close(): void {
    this.received.push("closed");
  }
  say(frame: ServerFrame): void {
    this.listener.received(JSON.stringify(frame));
  }
}

function event(seq: number): WeftEvent {
  return { seq, type: "run.started", time: "2026-11-21T00:00:00.000Z", run_id: "r", actor: "test", data: {} };
}

function setUp() {
  const sockets: ScriptedSocket[] = [];
  const seen: number[] = [];
  const statuses: ConnectionStatus[] = [];
  const timers: { delayMs: number; run: () => void }[] = [];
  const resets: number[] = [];
  const subject = new EventSocket({
    open: (listener) => {
      const socket = new ScriptedSocket(listener);
      sockets.push(socket);
      return socket;
    },
    clock: {
      now: () => 1000,
      pageAgeMs: () => 500,
      schedule: (delayMs, run) => (timers.push({ delayMs, run }), () => undefined),
    },
    random: () => 1,
    onEvents: (events) => seen.push(...events.map(({ seq }) => seq)),
    onReset: () => resets.push(seen.length),
    onStatus: (status) => statuses.push(status),
  });
  subject.start();
  const latest = (): ScriptedSocket => {
    const socket = sockets.at(-1);
    assert.ok(socket !== undefined);
    return socket;
  };
  return { subject, latest, seen, statuses, timers, resets };
}

test("a first connection subscribes from the server's number, and reads again unless nothing has happened since", () => {
  for (const [quiet_ms, again] of [
    [500, 0],
    [499, 1],
    [undefined, 1],
  ] as const) {
    const { latest, resets, seen, statuses } = setUp();
    latest().say({ op: "hello", server: "weft", last_seq: 7, ...(quiet_ms === undefined ? {} : { quiet_ms }) });
    assert.deepEqual([latest().received, resets.length], [['{"op":"subscribe","since":7}'], again]);
    assert.equal(statuses.at(-1)?.kind, "live");
    latest().say({ op: "events", events: [event(8)] });
    assert.deepEqual([seen, resets.length], [[8], again]);
  }
});

test("events arrive once and in order; a gap causes a re-read", () => {
  const { latest, seen, resets } = setUp();
  latest().say({ op: "hello", server: "weft", last_seq: 7 });
  latest().say({ op: "events", events: [event(8), event(9)] });
  latest().say({ op: "events", events: [event(9), event(10)] });
  assert.deepEqual(seen, [8, 9, 10]);
  assert.equal(resets.length, 1);
  latest().say({ op: "events", events: [event(12)] });
  assert.equal(resets.length, 2);
});

test("a lost connection reconnects after growing pauses and resumes after the last number seen", () => {
  const { latest, timers, statuses } = setUp();
  latest().say({ op: "hello", server: "weft", last_seq: 3 });
  latest().say({ op: "events", events: [event(4)] });
  latest().listener.closed();
  assert.deepEqual(statuses.at(-1), { kind: "waiting", retryAtMs: 1500, attempt: 1 });
  timers.at(-1)?.run();
  latest().listener.closed();
  assert.equal(timers.at(-1)?.delayMs, 1000);
  timers.at(-1)?.run();
  latest().say({ op: "hello", server: "weft", last_seq: 9 });
  assert.deepEqual(latest().received, ['{"op":"subscribe","since":4}']);
});

test("a reset or another state folder starts from the server's number", () => {
  const { latest, resets, timers } = setUp();
  latest().say({ op: "hello", server: "weft", last_seq: 50 });
  latest().say({ op: "reset", last_seq: 90 });
  assert.equal(latest().received.at(-1), '{"op":"subscribe","since":90}');
  latest().listener.closed();
  timers.at(-1)?.run();
  latest().say({ op: "hello", server: "weft", last_seq: 2 });
  assert.equal(latest().received.at(-1), '{"op":"subscribe","since":2}');
  assert.equal(resets.length, 3);
});

test("messages that are not frames are ignored", () => {
  const { latest, seen } = setUp();
  latest().listener.received("not json");
  latest().listener.received(new ArrayBuffer(2));
  assert.deepEqual(seen, []);
});
