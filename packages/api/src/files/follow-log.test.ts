import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { startTestServer } from "../../test/test-server.ts";
import type { TestServer } from "../../test/test-server.ts";
import { addToken, removeToken } from "../auth/tokens/token-folder.ts";

interface Following {
  readonly response: Response;
  /** Reads until the text that has come ends with this. */
  until(end: string): Promise<string>;
  rest(): Promise<string>;
}

async function follow(server: TestServer, runId: string, query = "", init: RequestInit = {}): Promise<Following> {
  const path = `/api/runs/${runId}/jobs/smooth.0/log?follow=true${query}`;
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
  const { id } = server.engine.runs.add();
  const onDisk = await server.engine.files.put("smooth.0.stderr", "one\n");
  const log = await follow(server, id);
  assert.deepEqual(
    [log.response.headers.get("content-type"), log.response.headers.get("content-length")],
    ["text/plain; charset=utf-8", null],
  );
  assert.equal(await log.until("one\n"), "one\n");
  await appendFile(onDisk, "two\n");
  await log.until("two\n");
  await appendFile(onDisk, "three\n");
  server.engine.events.appendOfJob("job.ended", id, "smooth.1");
  server.engine.events.appendOfJob("job.ended", id, "smooth.0");
  assert.equal(await log.rest(), "one\ntwo\nthree\n");
});

test("following may begin with the end of what there is", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const onDisk = await server.engine.files.put("smooth.0.stdout", "a long history");
  const log = await follow(server, id, "&stream=stdout&tail=7");
  assert.equal(await log.until("history"), "history");
  await appendFile(onDisk, "!");
  assert.equal(await log.until("!"), "history!");
  server.engine.events.appendOfJob("run.ended", id, "");
  assert.equal(await log.rest(), "history!");
});

test("a job that has not begun is waited for; another attempt is read from its beginning", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  const log = await follow(server, id);
  await server.engine.files.put("smooth.0.stderr", "first attempt, ");
  await log.until("first attempt, ");
  await server.engine.files.put("smooth.0.stderr", "second");
  assert.equal(await log.until("second"), "first attempt, second");
  server.engine.events.appendOfJob("job.ended", id, "smooth.0");
  await log.rest();
});

test("of a job that has ended there is what it wrote, or nothing", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  server.engine.runs.jobState = "COMPLETE";
  assert.equal(await (await follow(server, id)).rest(), "");
  await server.engine.files.put("smooth.0.stderr", "done");
  assert.equal(await (await follow(server, id)).rest(), "done");
  const path = `/api/runs/${id}/jobs/smooth.0/log?follow=true`;
  assert.equal((await server.call(`HEAD ${path}`)).status, 200);
  assert.equal((await server.call(`GET ${path.replace("smooth.0", "smooth.1")}`)).status, 404);
});

test("a log that was removed is refused before the answer begins", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  server.engine.files.jobLog = () => Promise.reject(new Refusal("file-pruned", "Removed by ann"));
  const answer = await server.call(`GET /api/runs/${id}/jobs/smooth.0/log?follow=true`);
  assert.equal(answer.status, 410);
  assert.match(answer.text, /Removed by ann/);
});

test("a client that leaves, and a server that closes, end the following", async (t) => {
  const server = await startTestServer(t);
  const { id } = server.engine.runs.add();
  await server.engine.files.put("smooth.0.stderr", "text");
  const leaving = new AbortController();
  const left = await follow(server, id, "", { signal: leaving.signal });
  await left.until("text");
  const watching = server.engine.events.listeners;
  const unsubscribed = server.engine.events.unsubscribed();
  leaving.abort();
  await assert.rejects(left.rest());
  await unsubscribed;
  assert.equal(server.engine.events.listeners, watching - 1);
  const stays = await follow(server, id);
  await stays.until("text");
  await server.close();
  assert.equal(await stays.rest(), "text");
});

test("a log is not followed with a token that was revoked", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-revoked-"));
  t.after(() => rm(folder, { recursive: true }));
  const made = await addToken(folder, { name: "ann", role: "viewer", expires_at: null });
  const auth = { mode: "token", token: "s".repeat(43), namedTokens: folder } as const;
  const server = await startTestServer(t, { auth });
  const { id } = server.engine.runs.add();
  await server.engine.files.put("smooth.0.stderr", "text");
  const log = await follow(server, id, "", { headers: { authorization: `Bearer ${made?.text}` } });
  await log.until("text");
  await removeToken(folder, "ann");
  assert.equal(await log.rest(), "text");
});
