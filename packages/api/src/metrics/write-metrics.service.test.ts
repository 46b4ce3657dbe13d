import assert from "node:assert/strict";
import { test } from "node:test";
import { caller } from "@weft/engine/testing/drive-runs.ts";
import { EventSocketClient } from "../../test/event-socket-client.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { Histogram } from "./metrics.ts";

const LINE = /^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (-?\d[\d.e+-]*|NaN|\+Inf)$/;

/** Every sample by its name and labels, the format checked line by line. */
async function samples(server: TestServer): Promise<ReadonlyMap<string, number>> {
  const { text, headers } = await server.call("GET /metrics");
  assert.equal(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.ok(text.endsWith("\n"));
  const found = new Map<string, number>();
  for (const line of text.trimEnd().split("\n")) {
    if (/^# (HELP|TYPE) [a-z_]+ /.test(line)) continue;
    const [, name = "", labels, value] = LINE.exec(line) ?? assert.fail(`not a sample: ${line}`);
    const key = labels === undefined ? name : `${name}{${labels}}`;
    assert.ok(!found.has(key), `${key} occurs twice`);
    found.set(key, Number(value));
  }
  return found;
}

test("requests are counted by route and status, not by path", async (t) => {
  const server = await startTestServer(t);
  for (const id of ["a", "b"]) await server.call(`GET /api/tools/${id}`);
  await server.call("GET /api/networks/imaging-cohort");
  await server.call("GET /nothing");
  await server.raw("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
  const all = await samples(server);
  const count = (method: string, route: string, status: number) =>
    all.get(`weft_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
  assert.equal(count("GET", "/api/tools/{id}", 404), 2);
  assert.equal(count("GET", "/api/networks/{id}", 200), 1);
  assert.equal(count("GET", "other", 404), 1);
  assert.equal(count("GET", "refused", 421), 1);
  assert.equal(all.get('weft_http_request_duration_seconds_bucket{route="/api/tools/{id}",le="+Inf"}'), 2);
  assert.equal(all.get('weft_http_request_duration_seconds_count{route="/api/tools/{id}"}'), 2);
});

test("the figures of the engine and the process are current", async (t) => {
  const server = await startTestServer(t);
  await EventSocketClient.open(server.address);
  await server.startRun();
  const { lastSeq } = server.engine.events;
  const all = await samples(server);
  const waiting = ['weft_jobs{state="waiting"}', 'weft_jobs_waiting{for="cores"}', 'weft_jobs_waiting{for="turn"}'];
  assert.deepEqual(
    ['weft_runs{state="RUNNING"}', ...waiting, "weft_events_total", "weft_event_sockets"].map((key) => all.get(key)),
    [1, 0, 0, 0, lastSeq, 1],
  );
  for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total", "process_start_time_seconds"])
    assert.ok((all.get(name) ?? 0) > 0, name);
  assert.ok(all.has('weft_event_loop_delay_seconds{quantile="0.99"}'));
  assert.equal(all.get('weft_storage_trouble{kind="full"}'), 0);
  const info = await server.engine.serverInfo(caller);
  t.mock.method(server.engine, "serverInfo", async () => ({ ...info, storage: "full" }));
  assert.equal((await samples(server)).get('weft_storage_trouble{kind="full"}'), 1);
});

test("a histogram counts durations up to each bound", () => {
  const histogram = new Histogram();
  for (const seconds of [0.001, 0.002, 0.3, 100]) histogram.observe(seconds);
  assert.deepEqual(histogram.cumulative, [1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
  assert.deepEqual([histogram.total, histogram.sumS], [4, 100.303]);
});
