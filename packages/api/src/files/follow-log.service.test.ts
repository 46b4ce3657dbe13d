import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { caller, startRun, untilRun } from "@weft/engine/testing/drive-runs.ts";
import { ScriptedExecutor, type Program } from "@weft/engine/testing/scripted-executor.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { addToken, removeToken } from "../auth/tokens/token-folder.ts";
import { ask } from "@weft/engine/testing/ask-engine.ts";

interface Following {
  readonly response: Response;
  /** Reads until the received text ends with this. */
  until(end: string): Promise<string>;
  rest(): Promise<string>;
}

async function follow(server: TestServer, runId: string, query = "", init: RequestInit = {}): Promise<Following> {
  const path = `/api/runs/${runId}/jobs/smooth/log?follow=true${query}`;
  const response = await fetch(server.address + path, init);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const more = async () => {
    const chunk = await reader?.read();
    text += chunk?.value ?? "";
    return chunk?.done !== true;
  };
  return {
    response,
    async until(end) {
      while (!text.endsWith(end)) assert.ok(await more(), `ended with ${JSON.stringify(text)}`);
      return text;
    },
    async rest() {
      while (await more());
      return text;
    },
  };
}

test("a log is followed until its job has ended, to its last byte", async (t) => {
  const server = await startTestServer(t);
  const { id, warn, end } = await server.startRun();
  warn("one\n");
  const log = await follow(server, id);
  const found = [log.response.headers.get("content-type"), log.response.headers.get("content-length")];
  assert.deepEqual(found, ["text/plain; charset=utf-8", null]);
  assert.equal(await log.until("one\n"), "one\n");
  warn("two\n");
  await log.until("two\n");
  warn("three\n");
  await end();
  assert.equal(await log.rest(), "one\ntwo\nthree\n");
});

test("following can begin at the end of the log", async (t) => {
  const server = await startTestServer(t);
  const { id, print, end } = await server.startRun();
  print("a long history");
  const log = await follow(server, id, "&stream=stdout&tail=7");
  assert.equal(await log.until("history"), "history");
  print("!");
  assert.equal(await log.until("!"), "history!");
  await end();
  assert.equal(await log.rest(), "history!");
});

test("waits for a job that has not begun, and reads another attempt from its beginning", async (t) => {
  const [begin, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const smooth: Program = async ({ launch: { argv, attempt }, warn }) => {
    if (argv.includes("first in line")) return begin.promise;
    warn(attempt === 1 ? "first attempt, " : "second");
    if (attempt > 1) return 0;
    await again.promise;
    return 1;
  };
  const executor = new ScriptedExecutor({ smooth });
  const { engine, ...server } = await startTestServer(t, { engineOptions: { executor, jobs: 1, retryDelaysMs: [0] } });
  const running = await startRun(engine, { network: "imaging-cohort", inputs: { note: "first in line" } });
  await untilRun(engine, running, ({ job_counts: counts }) => counts.RUNNING === 1);
  const id = await startRun(engine, { network: "imaging-cohort", options: { retries: 1 } });
  await untilRun(engine, id, ({ job_counts: counts }) => counts.QUEUED === 1);
  const log = await follow({ engine, ...server }, id);
  begin.resolve();
  await log.until("first attempt, ");
  again.resolve();
  assert.equal(await log.rest(), "first attempt, second");
});

test("the log of an ended job is sent whole, or empty", async (t) => {
  const server = await startTestServer(t);
  const [silent, talking] = [await server.startRun(), await server.startRun()];
  talking.warn("done");
  await Promise.all([silent.end(), talking.end()]);
  assert.equal(await (await follow(server, silent.id)).rest(), "");
  const { id } = talking;
  assert.equal(await (await follow(server, id)).rest(), "done");
  const path = `/api/runs/${id}/jobs/smooth/log?follow=true`;
  assert.equal((await server.call(`HEAD ${path}`)).status, 200);
  assert.equal((await server.call(`GET ${path.replace("smooth", "smooth-1")}`)).status, 404);
});

test("a log that was removed is refused before the answer begins", async (t) => {
  const server = await startTestServer(t);
  const { id, warn, end } = await server.startRun();
  warn("text");
  await end();
  await ask(server.engine, "POST /api/prune", {
    caller: { ...caller, principal: "ann" },
    body: { run_id: id, parts: ["logs"] },
  });
  const answer = await server.call(`GET /api/runs/${id}/jobs/smooth/log?follow=true`);
  assert.equal(answer.status, 410);
  assert.match(answer.text, /by ann/);
});

test("following ends when the client leaves or the server closes", async (t) => {
  const server = await startTestServer(t);
  const { id, warn } = await server.startRun();
  warn("text");
  const unsubscribed = Promise.withResolvers<void>();
  const { events } = server.engine;
  const subscribe = events.subscribe.bind(events);
  t.mock.method(events, "subscribe", (...asked: Parameters<typeof subscribe>) => {
    const leave = subscribe(...asked);
    return () => {
      leave();
      unsubscribed.resolve();
    };
  });
  const leaving = new AbortController();
  const left = await follow(server, id, "", { signal: leaving.signal });
  await left.until("text");
  leaving.abort();
  await assert.rejects(left.rest());
  await unsubscribed.promise;
  const stays = await follow(server, id);
  await stays.until("text");
  await server.close();
  assert.equal(await stays.rest(), "text");
});

test("a log is not followed with a token that was revoked", async (t) => {
  const folder = temporaryFolder();
  const made = await addToken(folder, { name: "ann", role: "viewer", expires_at: null });
  const auth = { mode: "token", token: "s".repeat(43), namedTokens: folder } as const;
  const server = await startTestServer(t, { auth });
  const { id, warn } = await server.startRun();
  warn("text");
  const log = await follow(server, id, "", { headers: { authorization: `Bearer ${made?.text}` } });
  await log.until("text");
  await removeToken(folder, "ann");
  assert.equal(await log.rest(), "text");
});
