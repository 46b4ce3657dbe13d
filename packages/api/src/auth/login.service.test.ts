import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "@weft/shared/routes/routes.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { EventSocketClient } from "../../test/event-socket-client.ts";
import { json, problemOf, startTestServer, type TestServer } from "../../test/test-server.ts";

const TOKEN = "sYPuVdL5uX0jN4mZ1rZ6cK2bT9qWvE8hGfA7iOxRnMc";
const BEARER = { headers: { authorization: `Bearer ${TOKEN}` } };
const AUTH = { mode: "token", token: TOKEN } as const;

/** The cookie as a browser sends it back. */
async function signIn(server: TestServer, proof: Readonly<Record<string, string>>): Promise<string> {
  const answer = await server.call("POST /api/session", json(proof));
  assert.equal(answer.status, 204, answer.text);
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

test("without a login, only routes that are declared open answer", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  for (const [key, { access }] of Object.entries<RouteDeclaration>(routes)) {
    const request = key.replace(/\{\w+\}/g, "x");
    const { status, headers } = await server.call(request, key.startsWith("POST") ? json({}) : {});
    assert.equal(status === 401, access !== "open", `${request}: ${status}`);
    if (status === 401) assert.match(headers.get("www-authenticate") ?? "", /^Bearer realm="weft"/);
  }
});

const CLOSED = [
  "GET /swagger.json",
  "GET /api/doc/",
  "GET /API/runs",
  "GET /nothing",
  "PUT /api/runs",
  "HEAD /api/runs",
];

test("undeclared routes require a login, and health checks do not", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  for (const request of CLOSED) assert.equal((await server.call(request)).status, 401, request);
  for (const request of ["GET /healthz", "GET /readyz"]) assert.equal((await server.call(request)).status, 200);
  const page = await server.call("GET /api/doc/", { headers: { accept: "text/html" } });
  assert.deepEqual([page.status, page.headers.get("content-type")], [401, "text/html; charset=utf-8"]);
});

const WRONG: readonly (readonly [name: string, authorization: string])[] = [
  ["another token", `Bearer ${TOKEN.replace("s", "t")}`],
  ["a longer token", `Bearer ${TOKEN}A`],
  ["no token", "Bearer "],
  ["another scheme", `Basic ${TOKEN}`],
  ["a token among others", `Bearer ${TOKEN}, Bearer x`],
];

test("programs send the access token", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  assert.equal((await server.call("GET /api/runs", BEARER)).status, 200);
  for (const [name, authorization] of WRONG) {
    const answer = await server.call("GET /api/runs", { headers: { authorization } });
    assert.deepEqual([answer.status, problemOf(answer).code], [401, "unauthorized"], name);
    assert.match(answer.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
  }
  assert.equal((await server.call(`GET /api/runs?token=${TOKEN}`)).status, 401);
});

test("a sign-in link signs one browser in", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const [address, code = ""] = (server.signInAddress() ?? "").split("#login=");
  assert.equal(address, `${server.address}/`);
  const answer = await server.call("POST /api/session", json({ code }));
  const flags = (answer.headers.get("set-cookie") ?? "").split("; ");
  assert.match(flags[0] ?? "", new RegExp(`^weft_${server.port}=`));
  assert.deepEqual(flags.slice(1), ["Path=/", "Max-Age=604800", "HttpOnly", "SameSite=Strict"]);
  const cookie = { headers: { cookie: `other=1; ${flags[0]}` } };
  assert.equal((await server.call("GET /api/runs", cookie)).status, 200);
  const session = JSON.parse((await server.call("GET /api/session", cookie)).text);
  assert.deepEqual([session.auth, session.principal], ["token", "local"]);
  assert.ok(Date.parse(session.expires_at) > Date.now());
  const again = await server.call("POST /api/session", json({ code }));
  assert.match(problemOf(again).detail, /already been used/);
});

test("the access token signs in, too, and a restart with the same token keeps the session", async (t) => {
  const first = await startTestServer(t, { auth: AUTH });
  const cookie = await signIn(first, { token: TOKEN });
  await first.close();
  const second = await startTestServer(t, { auth: AUTH, port: first.port });
  assert.equal((await second.call("GET /api/runs", { headers: { cookie } })).status, 200);
  await second.close();
  const third = await startTestServer(t, { auth: { mode: "token", token: TOKEN.replace("s", "t") }, port: first.port });
  assert.match(problemOf(await third.call("GET /api/runs", { headers: { cookie } })).detail, /session has ended/);
});

test("a cookie that was manipulated or belongs to another port is rejected", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const cookie = await signIn(server, { token: TOKEN });
  const [name = "", value = ""] = cookie.split("=");
  const [end = "", signature = ""] = value.split(".");
  for (const forged of [
    `${name}=${Number(end) + 1000}.${signature}`,
    `${name}=${end}.`,
    `${name}=${end}`,
    `${name}=`,
    `weft_1=${value}`,
  ])
    assert.equal((await server.call("GET /api/runs", { headers: { cookie: forged } })).status, 401, forged);
  const out = await server.call("DELETE /api/session", { headers: { cookie } });
  assert.match(out.headers.get("set-cookie") ?? "", /^weft_\d+=; Path=\/; Max-Age=0;/);
});

test("a cookie below a base address of https stays there", async (t) => {
  const server = await startTestServer(t, { auth: AUTH, baseUrl: "https://lab.example/weft" });
  const answer = await server.call("POST /api/session", json({ token: TOKEN }));
  assert.match(answer.headers.get("set-cookie") ?? "", /; Path=\/weft\/; .*; Secure$/);
  assert.match(server.signInAddress() ?? "", /^https:\/\/lab\.example\/weft\/#login=/);
});

test("a socket opens with a cookie, a token or a ticket, which opens one", async (t) => {
  const server = await startTestServer(t, { auth: AUTH });
  const cookie = await signIn(server, { token: TOKEN });
  const { ticket } = JSON.parse((await server.call("POST /api/events/tickets", { headers: { cookie } })).text);
  const origin = server.address;
  const open = [
    { origin, headers: { cookie } },
    { origin, ...BEARER },
    { origin, query: `?ticket=${ticket}` },
  ];
  for (const options of open) {
    const client = new EventSocketClient(server.address, options);
    assert.equal((await client.next()).op, "hello");
    await client.close();
  }
  const refused = [
    { origin },
    { origin, query: `?ticket=${ticket}` },
    { origin, query: "?ticket=x", ...BEARER },
    { headers: { cookie } },
  ];
  const statuses = await Promise.all(
    refused.map((options) => new EventSocketClient(server.address, options).refusal()),
  );
  assert.deepEqual(statuses, [401, 401, 401, 403]);
});

test("a server without a login accepts all requests and sets no cookie", async (t) => {
  const server = await startTestServer(t);
  assert.equal(server.signInAddress(), undefined);
  const answer = await server.call("POST /api/session", json({ code: "x" }));
  assert.deepEqual([answer.status, answer.headers.get("set-cookie")], [204, null]);
  assert.deepEqual(JSON.parse((await server.call("GET /api/session")).text), {
    auth: "none",
    workbench: true,
    principal: "local",
    role: "admin",
    expires_at: null,
  });
});
