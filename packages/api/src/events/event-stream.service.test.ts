import assert from "node:assert/strict";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import type { Caller } from "@weft/engine/port/caller.ts";
import { createLinks } from "@weft/shared/links.ts";
import { EventLog } from "../../test/event-log.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { Metrics } from "../metrics/metrics.ts";
import { EventBatcher } from "./event-batcher.ts";
import { openEventStream } from "./event-stream.ts";

interface OpenStream {
  readonly response: Response;
  /** The numbers of the next events. */
  numbers(count: number): Promise<number[]>;
}

async function openStream(
  { address }: TestServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const response = await fetch(address + path, { headers: { accept: "text/event-stream", ...headers } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const numbers = async (count: number) => {
    const ids = () => [...text.matchAll(/^id: (\d+)\ndata: \{"seq":\1,.*\}\n\n/gm)].map(([, id]) => Number(id));
    while (ids().length < count) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      text += chunk.value;
    }
    const found = ids();
    text = "";
    return found;
  };
  return { response, numbers };
}

test("a stream of a run begins with its first event and continues", async (t) => {
  const log = new EventLog();
  const server = await startTestServer(t, { events: log.service });
  const { id: runId } = await server.startRun();
  log.append(runId);
  log.append(null, 2);
  log.append(runId);
  const stream = await openStream(server, `/api/runs/${runId}/events`);
  assert.equal(stream.response.headers.get("content-type"), "text/event-stream");
  assert.equal(stream.response.headers.get("content-encoding"), null);
  assert.deepEqual(await stream.numbers(2), [1, 4]);
  log.append(runId);
  assert.deepEqual(await stream.numbers(1), [5]);
});

test("Last-Event-ID and since resume a stream; a stream of all runs begins now", async (t) => {
  const log = new EventLog();
  const server = await startTestServer(t, { events: log.service });
  log.append(null, 5);
  const [resumed, since, fresh] = [
    await openStream(server, "/api/events?since=1", { "last-event-id": "3" }),
    await openStream(server, "/api/events?since=4"),
    await openStream(server, "/api/events"),
  ];
  assert.deepEqual(await resumed.numbers(2), [4, 5]);
  assert.deepEqual(await since.numbers(1), [5]);
  log.append(null, 1);
  assert.deepEqual(await fresh.numbers(1), [6]);
});

test("closing the server ends its streams", async (t) => {
  const server = await startTestServer(t);
  const stream = await openStream(server, "/api/events");
  await server.close();
  assert.deepEqual(await stream.numbers(1), []);
});

/** A stream of all events without a server; the test moves its time. */
function quietStream(t: TestContext, isCurrent = () => true) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const log = new EventLog();
  const engine = { events: log.service };
  const metrics = new Metrics();
  t.after(() => metrics.close());
  const { signal: closing } = new AbortController();
  const parts = { engine, metrics, batcher: new EventBatcher(engine.events), closing, log: () => undefined };
  const caller: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "changeable" };
  const stream = openEventStream(parts, { runId: undefined, caller, since: 0, isCurrent }).setEncoding("utf8");
  return { log, metrics, stream };
}

test("a comment every 15 s keeps a quiet stream open, until it is closed", async (t) => {
  const { metrics, stream } = quietStream(t);
  assert.equal(stream.read(), "retry: 2000\n\n");
  t.mock.timers.tick(15_000);
  await once(stream, "readable");
  assert.equal(stream.read(), ": heartbeat\n\n");
  stream.destroy();
  assert.equal(metrics.streams, 1);
  await once(stream, "close");
  assert.equal(metrics.streams, 0);
  t.mock.timers.tick(15_000);
  assert.equal(stream.readableLength, 0);
});

test("a stream ends with the heartbeat after its client has lost access", async (t) => {
  let isCurrent = true;
  const { log, stream } = quietStream(t, () => isCurrent);
  t.mock.timers.tick(15_000);
  assert.equal(stream.readableEnded, false);
  isCurrent = false;
  stream.resume();
  const ended = once(stream, "end");
  t.mock.timers.tick(15_000);
  await ended;
  assert.equal(log.listeners, 1);
});
