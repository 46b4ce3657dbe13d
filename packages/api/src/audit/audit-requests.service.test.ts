import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { AuditEntry } from "@weft/shared/records/audit-record.ts";
import { EventSocketClient } from "../../test/event-socket-client.ts";
import { json, startTestServer, type TestServer } from "../../test/test-server.ts";
import { addToken, removeToken } from "../auth/tokens/token-folder.ts";

const TOKEN = "s".repeat(43);
const AUTH = { mode: "token", token: TOKEN } as const;
const ADMIN = { headers: { authorization: `Bearer ${TOKEN}` } };

async function entries(server: TestServer, query = ""): Promise<readonly AuditEntry[]> {
  const answer = await server.call(`GET /api/audit?page_size=500${query}`, ADMIN);
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text).entries.toReversed();
}

function summaryOf({ principal, action, status, code }: AuditEntry): string {
  return [principal, action, status, code].filter((part) => part !== null).join(" ");
}

test("entries about runs include the names of the runs", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const { id } = await server.startRun();
  const made = await server.call("POST /api/runs", json({ network: "imaging-cohort" }, ADMIN.headers));
  await server.call(`DELETE /api/runs/${id}`, ADMIN);
  const list = JSON.parse((await server.call("GET /api/audit", ADMIN)).text);
  const names = Object.keys(list.run_names).toSorted((a, b) => a.localeCompare(b));
  assert.deepEqual(names, [id, JSON.parse(made.text).run_id]);
  assert.ok(Object.values(list.run_names).every((name) => typeof name === "string" && !name.includes(id)));
});

test("a heartbeat is not recorded, unless the caller may not send it", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const draft = "POST /api/drafts/0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11/editors";
  const body = { editor: "7d3f1f0e-2b64-4c55-8d0a-6f9e3b7a1c20" };
  await server.call(draft, json(body, ADMIN.headers));
  await server.call(draft, json({ editor: "nobody" }, ADMIN.headers));
  await server.call(draft, json(body));
  assert.deepEqual((await entries(server)).map(summaryOf), [
    "server server.started",
    "anonymous request 401 unauthorized",
  ]);
});

test("the preview of a deletion has an action of its own", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const body = json({ uploads: true }, ADMIN.headers);
  await server.call("POST /api/prune?dry_run=true", body);
  await server.call("POST /api/prune?dry_run=false", body);
  assert.deepEqual((await entries(server)).map(summaryOf), [
    "server server.started",
    "local prune.dryRun 200",
    "local prune 200",
  ]);
});

test("only changes and refusals are recorded, with the caller", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const { id } = await server.startRun();
  const run = json({ network: "imaging-cohort" }, ADMIN.headers);
  await server.call("POST /api/runs", run);
  await server.call(`DELETE /api/runs/${id}`, ADMIN);
  await server.call("GET /api/runs", ADMIN);
  await server.call("GET /api/nothing", ADMIN);
  await server.call("POST /api/runs", json({ network: "none" }, ADMIN.headers));
  await server.call("POST /api/session", json({ token: TOKEN }));
  await server.call("POST /api/session", json({ token: "wrong" }));
  await server.call("GET /api/runs");
  await server.call("POST /api/runs", { ...run, headers: { ...run.headers, origin: "http://evil.example" } });
  await server.raw("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
  await new EventSocketClient(server.address, { origin: server.address }).refusal();
  const recorded = await entries(server);
  assert.deepEqual(recorded.map(summaryOf), [
    "server server.started",
    "local createRun 201",
    "local abortRun 204",
    "local createRun 404 network-not-found",
    "local signIn 204",
    "anonymous signIn 401 unauthorized",
    "anonymous request 401 unauthorized",
    "anonymous request 403 cross-origin",
    "anonymous request 421 misdirected-request",
    "anonymous upgrade 401 unauthorized",
  ]);
  const [, created] = recorded;
  assert.match(created?.target ?? "", /^\/api\/runs\/[0-9a-f-]{36}$/);
  assert.deepEqual([created?.role, created?.client, created?.path], ["admin", "127.0.0.1", "/api/runs"]);
  const text = JSON.stringify(recorded);
  for (const secret of [TOKEN, "wrong", "imaging-cohort"]) assert.ok(!text.includes(secret), secret);
});

test("a change is recorded before its response", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const sent = Array.from({ length: 20 }, () =>
    server.call("POST /api/runs", json({ network: "imaging-cohort" }, ADMIN.headers)),
  );
  await Promise.all(sent);
  assert.equal((await entries(server, "&action=createRun")).length, 20);
});

test("tokens that another process adds or removes are recorded when the server notices them", async (t) => {
  const folder = temporaryFolder();
  const server = await startTestServer(t, { auth: { ...AUTH, namedTokens: folder } });
  const made = await addToken(folder, { name: "ann", role: "viewer", expires_at: null });
  const headers = { authorization: `Bearer ${made?.text}` };
  assert.equal((await server.call("GET /api/audit", { headers })).status, 403);
  await removeToken(folder, "ann");
  assert.equal((await server.call("GET /api/runs", { headers })).status, 401);
  const recorded = await entries(server);
  const found = recorded.map(({ action, target }) => `${action} ${target}`).filter((text) => text.startsWith("token."));
  assert.deepEqual(found, ["token.added ann (viewer)", "token.removed ann (viewer)"]);
  assert.ok(recorded.map(summaryOf).includes("ann listAudit 403 forbidden"));
});
