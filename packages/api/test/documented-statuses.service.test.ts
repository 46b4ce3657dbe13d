import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { Refusal, type ProblemCode } from "@weft/shared/records/refusal.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes, type RouteId } from "@weft/shared/routes/routes.ts";
import { caller } from "@weft/engine/testing/drive-runs.ts";
import { createOpenApiDocument } from "../src/documentation/openapi/create-openapi-document.ts";
import type { ServerOptions } from "../src/server-options.ts";
import {
  ADMIN_TOKEN,
  HAPPY_ENGINE,
  happyRequests,
  mockCommits,
  prepareEndedRun,
  prepareHappy,
  prepareOpenRun,
  type HappyRequest,
} from "./happy-requests.ts";
import { OidcIssuer } from "./oidc-issuer.ts";
import { json, startTestServer, wesForm, type TestServer } from "./test-server.ts";

/**
 * Every status of every operation of /swagger.json is produced here, at least once, by a request to the real server. A
 * status that cannot be produced within a test is named with its reason; a new operation or status without a request
 * fails.
 */
const NOT_HERE: readonly RegExp[] = [
  / 408$/, // takes a minute: read-body.test.ts tests it with a shorter deadline
  /^(getHealth|getSession|signIn|signOut|createEventTicket|trsToolClasses) 500$/, // calls no part of the engine
  /^trsGetContainerfile (200|304)$/, // the standard defines it, but this registry has no recipes of images
];

const NOTHING = { perSecond: 0.001, burst: 0 };

const server = await startTestServer({ after }, { engineOptions: HAPPY_ENGINE, wesDocuments: "admin" });
const { engine } = server;
const prepared = await prepareHappy(server);
const run = await prepareEndedRun(server, prepared.query);
const open = await prepareOpenRun(server);
const HAPPY = happyRequests(server, { ...prepared, run, open });
const READS = HAPPY.filter(([route]) => route.startsWith("GET "));
const seen = new Set<string>();

function see(route: RouteId, status: number): void {
  seen.add(`${routes[route].operationId} ${status}`);
}

/** Starts another server on the prepared engine. */
function start(t: TestContext, options: Partial<ServerOptions> = {}): Promise<TestServer> {
  return startTestServer(t, { engine, ...options });
}

function requestOf(route: RouteId): HappyRequest {
  return HAPPY.find(([id]) => id === route) ?? assert.fail(route);
}

/** Sends a valid request with one part replaced. */
async function ask(
  to: TestServer,
  [route, request, , init]: HappyRequest,
  change: RequestInit & { query?: string } = {},
) {
  const { query = "", ...more } = change;
  const target = query === "" ? request : `${request}${request.includes("?") ? "&" : "?"}${query}`;
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    ...Object.fromEntries(new Headers(more.headers)),
  };
  const answer = await to.call(target, { ...init, ...more, headers });
  see(route, answer.status);
  return answer;
}

/** Sends raw bytes, for requests that `fetch` would not send. */
async function askRaw(to: TestServer, [route, request]: HappyRequest, headers: string): Promise<void> {
  const host = /^host:/im.test(headers) ? "" : `Host: 127.0.0.1:${to.port}\r\n`;
  const answer = await to.raw(`${request} HTTP/1.1\r\n${host}${headers}\r\nConnection: close\r\n\r\n`);
  see(route, Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]));
}

/** Makes answers that depend on the time repeat the first answer. */
function stopTime(t: TestContext): void {
  const parts = [
    [engine, "serverInfo"],
    [engine.methods, "GET /api/server/load"],
    [engine.methods, "GET /api/runs/{run_id}/forecast"],
  ] as const;
  for (const [part, method] of parts) {
    const methods = part as unknown as Record<string, (...args: unknown[]) => unknown>; // the method is named above
    const original = methods[method];
    let first: unknown;
    t.mock.method(methods, method, (...args: unknown[]) => (first ??= original?.(...args)));
  }
}

test("HEAD on every GET route returns the headers of GET and no body", async (t) => {
  stopTime(t);
  for (const [, request, status] of READS) {
    const get = await server.call(request);
    const head = await server.call(request.replace("GET", "HEAD"));
    assert.deepEqual([head.status, head.text], [status, ""], request);
    assert.equal(head.headers.get("content-type"), get.headers.get("content-type"), request);
    assert.equal(head.headers.get("etag"), get.headers.get("etag"), request);
  }
});

/** Downloads are sent while they are generated, and metrics change all the time. */
const WITHOUT_TAG: ReadonlySet<RouteId> = new Set([
  "GET /api/runs/{run_id}/outputs.zip",
  "GET /api/runs/{run_id}/table/export",
  "GET /api/tools/{id}/{version}/sources.zip",
  "GET /api/networks/{id}/sources.zip",
  "GET /api/drafts/{draft_id}/sources.zip",
  "GET /api/drafts/{draft_id}/packed",
  "GET /api/runs/{run_id}/jobs/{job_id}/bundle",
  "GET /metrics",
  "GET /ga4gh/wes/v1/runs/{run_id}/stderr",
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/containerfile",
]);

test("answers 304 to a client that already has the answer", async (t) => {
  stopTime(t);
  for (const read of READS.filter(([route]) => !WITHOUT_TAG.has(route))) {
    const entityTag = (await ask(server, read)).headers.get("etag") ?? assert.fail(read[1]);
    const known = await ask(server, read, { headers: { "if-none-match": `"other", ${entityTag}` } });
    assert.deepEqual([known.status, known.text, known.headers.get("etag")], [304, "", entityTag], read[1]);
    assert.equal((await ask(server, read, { headers: { "if-none-match": '"other"' } })).status, 200, read[1]);
  }
});

test("refuses malformed, misdirected and foreign requests", async () => {
  for (const request of HAPPY) {
    await askRaw(server, [request[0], `${request[1]}${request[1].includes("?") ? "&" : "?"}a=%zz`, 400, {}], "X: y");
    await askRaw(server, request, "Host: evil.example");
    await askRaw(server, request, `X: ${"x".repeat(20_000)}`);
    if (!request[1].startsWith("GET")) await ask(server, request, { headers: { origin: "http://evil.example" } });
  }
});

test("refuses unknown callers, callers without a role, and too many requests", async (t) => {
  const issuer = await OidcIssuer.start(t);
  const oidc = { issuer: issuer.address, audience: "weft", nameClaim: "sub", roleClaim: "roles", roleMap: new Map() };
  const auth = { mode: "oidc", token: ADMIN_TOKEN, oidc } as const;
  const closed = await start(t, { auth });
  const withoutRole = { authorization: `Bearer ${await issuer.token()}` };
  for (const request of HAPPY) {
    await ask(closed, request);
    await ask(closed, request, { headers: withoutRole });
  }
  await ask(closed, requestOf("POST /api/session"), json({ token: "wrong" }));
  issuer.isUp = false;
  const later = await start(t, { auth });
  for (const request of HAPPY) await ask(later, request, { headers: withoutRole });
  await ask(later, [
    "POST /api/session",
    "POST /api/session",
    503,
    json({ token: withoutRole.authorization.slice(7) }),
  ]);
  const limited = await start(t, { rates: { reads: NOTHING, writes: NOTHING } });
  for (const request of HAPPY) await ask(limited, request);
});

test(
  "refuses other accounts of this machine if the server has no login",
  { skip: process.platform !== "linux" && "only Linux reports which account connects" },
  async (t) => {
    const { seteuid, geteuid } = process;
    const isRoot = geteuid?.() === 0;
    // Root's requests are always accepted, so root sends them as `nobody`. For other accounts, the server claims another owner.
    if (!isRoot) t.mock.method(process as { getuid: () => number }, "getuid", () => 4_000_000);
    const foreign = await start(t);
    const openRequests = HAPPY.filter(([route]) => declarationOf(route).access === "open");
    if (isRoot) seteuid?.(65_534);
    try {
      for (const request of openRequests) await askRaw(foreign, request, "X: y");
    } finally {
      if (isRoot) seteuid?.(0);
    }
  },
);

function declarationOf(route: RouteId): RouteDeclaration {
  return routes[route];
}

const UNKNOWN = "019a9c5e-7b1a-7cc0-8000-999999999999";

test("answers 404 for missing records", async (t) => {
  for (const [route, request, , init] of HAPPY) {
    const other = request
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, UNKNOWN)
      .replace(/(imaging-cohort|smooth|study)(?=$|[/&])/, "none")
      .replace(/sha256:[0-9a-f]+/, `sha256:${"0".repeat(64)}`);
    if (other !== request) await ask(server, [route, other, 404, init]);
    const body = typeof init.body === "string" ? init.body.replace(/imaging-cohort|smooth(?=")|study/, "none") : "";
    if (body !== "" && body !== init.body) await ask(server, [route, request, 404, { ...init, body }]);
  }
  await ask(server, ["GET /api/files", "GET /api/files?location=weft-data://none/", 404, {}]);
  await ask(server, requestOf("POST /ga4gh/wes/v1/runs"), wesForm({ workflow_url: "none" }));
  await ask(server, requestOf("POST /api/prune"), json({ run_id: UNKNOWN }));
  const withoutWorkbench = await start(t, { workbench: false });
  for (const request of HAPPY.filter(([route]) => /draft-imports|commits|drafts$/.test(route)))
    await ask(withoutWorkbench, request);
});

test("refuses requests that do not fit the state of a resource", async () => {
  const swapped = happyRequests(server, { ...prepared, run: open, open: run });
  for (const request of HAPPY)
    if (declarationOf(request[0]).headers !== undefined) await ask(server, request, { headers: { "if-match": '"7"' } });
  for (const request of swapped) if (request[0].includes("{run_id}")) await ask(server, request);
  const provenance = requestOf("GET /api/runs/{run_id}/provenance");
  await ask(server, [provenance[0], provenance[1].replace(run, open), 409, {}], { query: "format=ro-crate" });
  const crate = await fetch(`${server.address}/api/runs/${run}/provenance?format=ro-crate`);
  await ask(server, requestOf("POST /api/provenance/crates"), { body: await crate.arrayBuffer() });
  const testOfFeed = `POST /api/subscriptions/${prepared.feed}/test`;
  await ask(server, ["POST /api/subscriptions/{subscription_id}/test", testOfFeed, 409, {}]);
  await ask(server, requestOf("POST /api/commits"));
  const changes: readonly (readonly [RouteId, RequestInit])[] = [
    ["POST /api/drafts/{draft_id}/publish", json({ version: "1.0.1" }, { "if-match": '"1"' })],
    [
      "POST /api/draft-groups/{group_id}/publish",
      json({ drafts: prepared.grouped.map((one) => ({ ...one, revision: 7 })) }),
    ],
    ["POST /api/dataset-queries", requestOf("POST /api/dataset-queries/{query_id}")[3]],
    ["POST /api/prune", json({ run_id: open })],
    ["POST /api/drafts/{draft_id}/runs", json({ name: "a" }, { "idempotency-key": "k" })],
    ["POST /api/drafts/{draft_id}/runs", json({ name: "b" }, { "idempotency-key": "k" })],
    ["POST /api/runs", json({ network: "imaging-cohort", name: "a" }, { "idempotency-key": "k" })],
    ["POST /api/runs", json({ network: "imaging-cohort", name: "b" }, { "idempotency-key": "k" })],
  ];
  for (const [route, init] of changes) await ask(server, requestOf(route), init);
});

test("refuses bodies that it cannot read, and media types that it cannot write", async () => {
  // Some of these requests are carried out: an abort must not end the open run.
  for (const request of happyRequests(server, { ...prepared, run, open: run })) {
    await ask(server, request, { query: "nope=1" });
    await ask(server, request, { headers: { "accept-encoding": "identity;q=0" } });
    if (request[1].startsWith("GET")) await ask(server, request, { headers: { accept: "image/png" } });
    if (!request[1].startsWith("POST")) continue;
    await ask(server, request, { body: "x", headers: { "content-type": "text/plain", "content-encoding": "gzip" } });
    const tooLong = 'If-Match: "1"\r\nContent-Type: application/json\r\nContent-Length: 99999999999';
    if (declarationOf(request[0]).body !== undefined) await askRaw(server, request, tooLong);
  }
  for (const route of ["GET /api/runs/{run_id}/jobs/{job_id}/log", "GET /api/runs/{run_id}/files/{path}"] as const)
    for (const range of ["bytes=0-0", "bytes=999-"]) await ask(server, requestOf(route), { headers: { range } });
  const body = "x".repeat(HAPPY_ENGINE.maxUploadBytes + 1);
  await ask(server, requestOf("POST /api/files"), { body });
  await ask(server, requestOf("POST /api/provenance/crates"), { body });
  const form = wesForm({ workflow_url: "imaging-cohort" }, { "a.nii": body });
  await ask(server, requestOf("POST /ga4gh/wes/v1/runs"), form);
});

test("answers 503 while it stops, and 500 for a bug", async (t) => {
  const fail = (): never => {
    throw new Error("a bug, as far as the API can tell");
  };
  const broken = await start(t, { examine: fail });
  const parts = [engine, ...Object.values({ ...engine })];
  const draining = t.mock.getter(engine, "draining", () => true);
  for (const route of ["GET /readyz", "POST /shutdown"] as const) await ask(broken, requestOf(route));
  draining.mock.mockImplementation(fail);
  for (const part of parts) if (typeof part === "object") failAll(t, part, fail);
  for (const request of HAPPY) await ask(broken, request);
});

/** Makes every method of an object fail. */
function failAll(t: TestContext, part: object, fail: () => never): void {
  for (const name of Object.keys(part))
    // The names are those of its methods.
    if (name !== "draining" && typeof Reflect.get(part, name) === "function")
      t.mock.method(part as Record<string, () => unknown>, name, fail);
}

test("passes on rare refusals of the engine", async (t) => {
  const calls: readonly (readonly [route: RouteId, part: object, method: string, code: ProblemCode])[] = [
    ["GET /api/runs/{run_id}/jobs/{job_id}/log", engine.files, "jobLog", "file-pruned"],
    ["GET /api/runs/{run_id}/files/{path}", engine.files, "runFile", "file-pruned"],
    ["POST /api/draft-imports", engine.drafts, "importZip", "body-too-large"],
    ["POST /api/draft-groups/{group_id}/publish", engine.drafts, "publishGroup", "conflict"],
    ["POST /ga4gh/wes/v1/runs", engine.runs, "create", "conflict"],
  ];
  const methods: Partial<Record<RouteId, ProblemCode>> = {
    "GET /api/tools/{id}/{version}/sources.zip": "body-too-large",
    "GET /api/networks/{id}/sources.zip": "body-too-large",
    "GET /api/drafts/{draft_id}/sources.zip": "body-too-large",
    "POST /api/drafts": "conflict",
    "POST /api/drafts/{draft_id}/files": "conflict",
    "POST /api/upgrades": "conflict",
    "POST /api/dataset-queries/{query_id}": "conflict",
    "POST /api/runs/{run_id}/describe": "conflict",
    "POST /api/subscriptions": "conflict",
    "POST /api/automations": "conflict",
  };
  const refusals = [
    ...calls,
    ...Object.entries(methods).map(([route, code]) => [route as RouteId, engine.methods, route, code] as const),
  ];
  for (const [route, part, method, code] of refusals) {
    const refuse = (): never => {
      throw new Refusal(code, "as the engine says");
    };
    const refused = t.mock.method(part as Record<string, () => unknown>, method, refuse);
    await ask(server, requestOf(route));
    refused.mock.restore();
  }
  const canceling = { ...engine.runs.status(caller, open), state: "CANCELING" as const };
  t.mock.method(engine.runs, "abort", () => canceling);
  await ask(server, requestOf("DELETE /api/runs/{run_id}"));
});

/** The last request ends the server, so this test comes last. */
test("every declared route answers as declared", async (t) => {
  mockCommits(t, engine);
  t.mock.method(engine.provenance, "importCrate", async () => engine.runs.get(caller, run));
  for (const request of HAPPY) {
    const { status, text } = await ask(server, request);
    assert.equal(status, request[2], `${request[1]}: ${text}`);
  }
});

test("every documented status of every operation was produced above", () => {
  const { paths = {} } = createOpenApiDocument("http://weft.test", "0.1.0");
  const documented = Object.values(paths).flatMap((methods) =>
    Object.values(methods as Record<string, { operationId: string; responses: Record<string, unknown> }>).flatMap(
      ({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`),
    ),
  );
  const notHere = (pair: string) => NOT_HERE.some((pattern) => pattern.test(pair));
  const found = documented.filter((pair) => seen.has(pair) === notHere(pair));
  assert.deepEqual(found, []);
  const shown = [...seen].filter((pair) => !documented.includes(pair));
  assert.deepEqual(shown, []);
});
