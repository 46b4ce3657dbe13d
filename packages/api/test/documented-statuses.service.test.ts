import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes } from "@weft/shared/routes/routes.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { createOpenApiDocument } from "../src/documentation/openapi/create-openapi-document.ts";
import type { ServerOptions } from "../src/server-options.ts";
import { HAPPY_REQUESTS, prepareHappy } from "./happy-requests.ts";
import type { HappyRequest } from "./happy-requests.ts";
import { OidcIssuer } from "./oidc-issuer.ts";
import { startFakeServer } from "./fake-server.ts";
import type { FakeServer } from "./fake-server.ts";
import { json, wesForm } from "./test-server.ts";

/**
 * Every status of every operation of /swagger.json is produced here, once at least, by a request to the real server. What
 * cannot be produced within a test is named with its reason; a new operation or status without a request fails.
 */
const NOT_HERE: Readonly<Record<string, string>> = {
  "createRun 408": "takes a minute: read-body.test.ts has it with a shorter deadline",
  "shutDown 408": "the same",
  "retryRun 408": "the same",
  "planRun 408": "the same",
  "planRetry 408": "the same",
  "reproduceRun 408": "the same",
  "describeRun 408": "the same",
  "describeRuns 408": "the same",
  "reviewSamples 408": "the same",
  "visitDraft 408": "the same",
  "runToolTests 408": "the same",
  "runNetworkTests 408": "the same",
  "queryDataset 408": "the same",
  "saveDatasetQuery 408": "the same",
  "changeDatasetQuery 408": "the same",
  "createDraft 408": "the same",
  "saveDraft 408": "the same",
  "changeDraftFiles 408": "the same",
  "runDraftTests 408": "the same",
  "upgradeNetworks 408": "the same",
  "commitVersions 408": "the same",
  "importDrafts 408": "the same",
  "importDraftsFromUrl 408": "the same",
  "publishDraftGroup 408": "the same",
  "runDraft 408": "the same",
  "planDraft 408": "the same",
  "publishDraft 408": "the same",
  "createSubscription 408": "the same",
  "createAutomation 408": "the same",
  "planAutomation 408": "the same",
  "prune 408": "the same",
  "signIn 408": "the same",
  "getRunStatus 406": "is answered directly, in plain bytes, whatever the client accepts",
  "getHealth 500": "asks nobody",
  "getSession 500": "asks nobody",
  "signIn 500": "asks nobody",
  "signOut 500": "asks nobody",
  "createEventTicket 500": "asks nobody",
  "trsToolClasses 500": "asks nobody",
  "trsGetContainerfile 200": "the standard has it; this registry has no recipes of images",
  "trsGetContainerfile 304": "the same",
};

const NOTHING = { perSecond: 0.001, burst: 0 };
const TOKEN = "s".repeat(43);

const seen = new Set<string>();
const firstOf = new Map<RouteId, HappyRequest>();
for (const request of HAPPY_REQUESTS) if (!firstOf.has(request[0])) firstOf.set(request[0], request);
const FIRST = [...firstOf.values()];

function see(route: RouteId, status: number): void {
  seen.add(`${routes[route].operationId} ${status}`);
}

async function start(t: TestContext, options: Partial<ServerOptions> = {}): Promise<FakeServer> {
  const server = await startFakeServer(t, options);
  await prepareHappy(server.engine);
  return server;
}

/** Sends a valid request with one part replaced. */
async function ask(
  server: FakeServer,
  [route, request, , init]: HappyRequest,
  change: RequestInit & { query?: string } = {},
) {
  const { query = "", ...more } = change;
  const target = query === "" ? request : `${request}${request.includes("?") ? "&" : "?"}${query}`;
  const headers = {
    ...Object.fromEntries(new Headers(init?.headers)),
    ...Object.fromEntries(new Headers(more.headers)),
  };
  const answer = await server.call(target, { ...init, ...more, headers });
  see(route, answer.status);
  return answer;
}

/** Sends raw bytes, for requests that `fetch` would not send. */
async function askRaw(server: FakeServer, [route, request]: HappyRequest, headers: string): Promise<void> {
  const host = /^host:/im.test(headers) ? "" : `Host: 127.0.0.1:${server.port}\r\n`;
  const answer = await server.raw(`${request} HTTP/1.1\r\n${host}${headers}\r\nConnection: close\r\n\r\n`);
  see(route, Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]));
}

test("answers as they are wanted, and those that the client has already", async (t) => {
  const server = await start(t);
  for (const request of HAPPY_REQUESTS) {
    const { status, headers } = await ask(server, request);
    assert.equal(status, request[2], request[1]);
    const tag = headers.get("etag");
    if (tag !== null && request[1].startsWith("GET "))
      await ask(server, request, { headers: { "if-none-match": tag } });
  }
  const { id } = server.engine.runs.add();
  server.engine.runs.abortEndsAs = "CANCELING";
  await ask(server, ["DELETE /api/runs/{run_id}", `DELETE /api/runs/${id}`, 202]);
});

test("what is wrong with a request before it is looked into", async (t) => {
  const server = await start(t);
  for (const request of FIRST) {
    await askRaw(server, [request[0], `${request[1]}${request[1].includes("?") ? "&" : "?"}a=%zz`, 400], "X: y");
    await askRaw(server, request, "Host: evil.example");
    await askRaw(server, request, `X: ${"x".repeat(20_000)}`);
    if (!request[1].startsWith("GET")) await ask(server, request, { headers: { origin: "http://evil.example" } });
  }
});

test("who asks is not known, may not, or asks too often", async (t) => {
  const issuer = await OidcIssuer.start(t);
  const oidc = { issuer: issuer.address, audience: "weft", nameClaim: "sub", roleClaim: "roles", roleMap: new Map() };
  const auth = { mode: "oidc", token: TOKEN, oidc } as const;
  const server = await start(t, { auth });
  const withoutRole = { authorization: `Bearer ${await issuer.token()}` };
  for (const request of FIRST) {
    await ask(server, request);
    await ask(server, request, { headers: withoutRole });
  }
  issuer.isUp = false;
  const later = await start(t, { auth });
  for (const request of FIRST) await ask(later, request, { headers: withoutRole });
  await ask(later, [
    "POST /api/session",
    "POST /api/session",
    503,
    json({ token: withoutRole.authorization.slice(7) }),
  ]);
  const limited = await start(t, { rates: { reads: NOTHING, writes: NOTHING } });
  for (const request of FIRST) await ask(limited, request);
});

test(
  "without a login another account of this machine is answered nothing at all",
  { skip: process.platform !== "linux" && "only Linux tells who connects" },
  async (t) => {
    const { seteuid, geteuid } = process;
    const isRoot = geteuid?.() === 0;
    // Root's own requests count always: its become those of nobody. Anyone else's own server becomes someone else's.
    if (!isRoot) t.mock.method(process as { getuid: () => number }, "getuid", () => 4_000_000);
    const server = await start(t);
    const strangers = FIRST.filter(([route]) => declarationOf(route).access === "open");
    if (isRoot) seteuid?.(65_534);
    try {
      for (const request of strangers) await askRaw(server, request, "X: y");
    } finally {
      if (isRoot) seteuid?.(0);
    }
  },
);

function declarationOf(route: RouteId): RouteDeclaration {
  return routes[route];
}

const UNKNOWN = "019a9c5e-7b1a-7cc0-8000-999999999999";

test("what is asked for is not there", async (t) => {
  const server = await start(t);
  for (const [route, request, , init] of FIRST) {
    const other = request
      .replace(/019a9c5e-[0-9a-f-]+/, UNKNOWN)
      .replace(/(imaging-cohort|smooth)(?=$|\/)/, "none")
      .replace(/sha256:5e/, "sha256:00");
    if (other !== request) await ask(server, [route, other, 404, init ?? {}]);
  }
  await ask(server, ["GET /api/files", "GET /api/files?location=weft-data://none/", 404]);
  await ask(server, ["POST /api/runs", "POST /api/runs", 404, json({ network: "none" })]);
  await ask(server, ["POST /ga4gh/wes/v1/runs", "POST /ga4gh/wes/v1/runs", 404, wesForm({ workflow_url: "none" })]);
});

test("what is asked for cannot be understood, or not be given so", async (t) => {
  const server = await start(t);
  server.engine.files.uploadLimitBytes = 3;
  const all = new Map(FIRST.map((request) => [request[0], request] as const));
  for (const request of FIRST) {
    await ask(server, request, { query: "nope=1" });
    await ask(server, request, { headers: { "accept-encoding": "identity;q=0" } });
    if (request[1].startsWith("GET")) await ask(server, request, { headers: { accept: "image/png" } });
    if (request[1].startsWith("POST")) {
      await ask(server, request, { body: "x", headers: { "content-type": "text/plain", "content-encoding": "gzip" } });
      if (declarationOf(request[0]).body !== undefined)
        await askRaw(server, request, 'If-Match: "1"\r\nContent-Type: application/json\r\nContent-Length: 99999999999');
    }
  }
  for (const route of ["GET /api/runs/{run_id}/jobs/{job_id}/log", "GET /api/runs/{run_id}/files/{path}"] as const)
    for (const range of ["bytes=0-0", "bytes=999-"]) {
      const request = all.get(route);
      if (request !== undefined) await ask(server, request, { headers: { range } });
    }
  await ask(server, ["POST /api/files", "POST /api/files?name=a", 413, { body: "too long" }]);
  const crates = "POST /api/provenance/crates";
  await ask(server, [crates, crates, 413, { body: "too long" }]);
  await ask(server, [crates, crates, 409, { body: "known" }]);
  const form = wesForm({ workflow_url: "imaging-cohort" }, { "a.nii": "too long" });
  await ask(server, ["POST /ga4gh/wes/v1/runs", "POST /ga4gh/wes/v1/runs", 413, form]);
  const key = { "idempotency-key": "k" };
  for (const name of ["a", "b"])
    await ask(server, ["POST /api/runs", "POST /api/runs", 409, json({ network: "imaging-cohort", name }, key)]);
});

test("the server stops, has no room, or has a bug", async (t) => {
  const server = await start(t);
  server.engine.draining = true;
  server.engine.files.isFull = true;
  for (const request of FIRST) await ask(server, request);
  const fail = (): never => {
    throw new Error("a bug, as far as the API can tell");
  };
  const broken = await start(t, { examine: fail });
  const { engine } = broken;
  const { runs, drafts, catalog, files, provenance, archives, storage, insight, operations, wesDocuments } = engine;
  const parts = [runs, drafts, catalog, files, provenance, archives, storage, insight, operations, wesDocuments];
  for (const part of [...parts, engine.notifications, engine.automations, engine.datasets]) failAll(t, part, fail);
  t.mock.method(engine.events, "page", fail);
  t.mock.method(engine.events, "moment", fail);
  t.mock.method(engine, "serverInfo", fail);
  Object.defineProperty(engine, "draining", { get: fail });
  for (const request of FIRST) await ask(broken, request);
});

test("the engine refuses what fits neither the run nor what is left of it", async (t) => {
  const server = await start(t);
  const { engine } = server;
  const refusals: readonly (readonly [route: RouteId, part: object, method: string, code: ProblemCode])[] = [
    ["POST /api/runs/{run_id}/retry", engine.runs, "retry", "conflict"],
    ["POST /api/runs/{run_id}/retry-plan", engine.runs, "planRetry", "conflict"],
    ["POST /api/plans", engine.runs, "plan", "network-not-found"],
    ["POST /api/runs/{run_id}/pause", engine.runs, "pause", "conflict"],
    ["POST /api/runs/{run_id}/resume", engine.runs, "resume", "conflict"],
    ["POST /api/runs/{run_id}/reproduce", engine.runs, "reproduce", "conflict"],
    ["POST /api/runs/{run_id}/describe", engine.runs, "describe", "conflict"],
    ["GET /api/runs/{run_id}/provenance", engine.provenance, "provJson", "conflict"],
    ["GET /api/runs/{run_id}/comparison", engine.provenance, "compare", "conflict"],
    ["GET /api/runs/{run_id}/jobs/{job_id}/log", engine.files, "jobLog", "file-pruned"],
    ["GET /api/runs/{run_id}/files/{path}", engine.files, "runFile", "file-pruned"],
    ["GET /api/drafts", engine.drafts, "list", "not-found"],
    ["POST /api/drafts", engine.drafts, "create", "tool-not-found"],
    ["POST /api/drafts", engine.drafts, "create", "conflict"],
    ["POST /api/drafts/{draft_id}", engine.drafts, "save", "precondition-failed"],
    ["POST /api/drafts/{draft_id}/files", engine.drafts, "changeFiles", "precondition-failed"],
    ["POST /api/drafts/{draft_id}/runs", engine.drafts, "run", "precondition-failed"],
    ["POST /api/drafts/{draft_id}/plans", engine.drafts, "plan", "precondition-failed"],
    ["POST /api/drafts/{draft_id}/tests", engine.drafts, "runTests", "precondition-failed"],
    ["GET /api/drafts/{draft_id}/check", engine.drafts, "check", "precondition-failed"],
    ["GET /api/drafts/{draft_id}/packed", engine.drafts, "packedDraft", "precondition-failed"],
    ["GET /api/drafts/{draft_id}/sources.zip", engine.drafts, "draftSources", "precondition-failed"],
    ["POST /api/drafts/{draft_id}/files", engine.drafts, "changeFiles", "conflict"],
    ["POST /api/draft-imports", engine.drafts, "importZip", "not-found"],
    ["POST /api/commits", engine.drafts, "commit", "tool-not-found"],
    ["POST /api/commits", engine.drafts, "commit", "conflict"],
    ["GET /api/tools/{id}/{version}/sources.zip", engine.drafts, "sources", "body-too-large"],
    ["GET /api/networks/{id}/sources.zip", engine.drafts, "sources", "body-too-large"],
    ["GET /api/drafts/{draft_id}/sources.zip", engine.drafts, "draftSources", "body-too-large"],
    ["GET /api/drafts/{draft_id}/packed", engine.drafts, "packedDraft", "invalid-document"],
    ["POST /api/draft-imports", engine.drafts, "importZip", "body-too-large"],
    ["POST /api/draft-imports/url", engine.drafts, "importUrl", "not-found"],
    ["POST /api/upgrades", engine.drafts, "upgrade", "tool-not-found"],
    ["POST /api/upgrades", engine.drafts, "upgrade", "conflict"],
    ["GET /api/upgrades", engine.drafts, "outdated", "tool-not-found"],
    ["POST /api/draft-groups/{group_id}/publish", engine.drafts, "publishGroup", "precondition-failed"],
    ["POST /api/draft-groups/{group_id}/publish", engine.drafts, "publishGroup", "conflict"],
    ["POST /api/drafts/{draft_id}/runs", engine.drafts, "run", "idempotency-key-reused"],
    ["POST /api/drafts/{draft_id}/publish", engine.drafts, "publish", "precondition-failed"],
    ["POST /api/drafts/{draft_id}/publish", engine.drafts, "publish", "conflict"],
    ["POST /api/automations", engine.automations, "create", "conflict"],
    ["POST /api/automations", engine.automations, "create", "not-found"],
    ["POST /api/automation-plans", engine.automations, "planNew", "not-found"],
    ["GET /api/automations/{automation_id}/plan", engine.automations, "plan", "not-found"],
    ["GET /api/automations/{automation_id}/history", engine.automations, "history", "not-found"],
    ["POST /api/automations/{automation_id}/pause", engine.automations, "setActive", "not-found"],
    ["POST /api/automations/{automation_id}/resume", engine.automations, "setActive", "not-found"],
    ["DELETE /api/automations/{automation_id}", engine.automations, "discard", "not-found"],
    ["POST /api/subscriptions", engine.notifications, "create", "run-not-found"],
    ["POST /api/subscriptions", engine.notifications, "create", "conflict"],
    ["POST /api/subscriptions/{subscription_id}/test", engine.notifications, "test", "not-found"],
    ["POST /api/subscriptions/{subscription_id}/test", engine.notifications, "test", "conflict"],
    ["GET /api/subscriptions/{subscription_id}/deliveries", engine.notifications, "deliveries", "not-found"],
    [
      "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend",
      engine.notifications,
      "resend",
      "not-found",
    ],
    ["DELETE /api/subscriptions/{subscription_id}", engine.notifications, "unsubscribe", "not-found"],
    ["GET /api/feeds/{subscription_id}", engine.notifications, "feed", "not-found"],
    ["GET /api/datasets/detail", engine.datasets, "detail", "file-not-found"],
    ["GET /api/datasets/files", engine.datasets, "files", "file-not-found"],
    ["POST /api/datasets/query", engine.datasets, "queryText", "file-not-found"],
    ["POST /api/dataset-queries", engine.datasets, "save", "network-not-found"],
    ["POST /api/dataset-queries", engine.datasets, "save", "conflict"],
    ["POST /api/dataset-queries/{query_id}", engine.datasets, "save", "precondition-failed"],
    ["POST /api/dataset-queries/{query_id}", engine.datasets, "save", "conflict"],
    ["POST /ga4gh/wes/v1/runs", engine.runs, "create", "conflict"],
    ["GET /api/wes-documents/{digest}", engine.wesDocuments, "get", "invalid-document"],
    ["POST /api/prune", engine.storage, "prune", "conflict"],
    ["POST /api/prune", engine.storage, "prune", "run-not-found"],
  ];
  for (const [route, part, method, code] of refusals) {
    const request = FIRST.find(([first]) => first === route);
    assert.ok(request !== undefined, route);
    const refuse = (): never => {
      throw new Refusal(code, "as the engine says");
    };
    const refused = t.mock.method(part as Record<string, () => unknown>, method, refuse);
    await ask(server, request);
    refused.mock.restore();
  }
});

/** Makes every method of an object fail. */
function failAll(t: TestContext, part: object, fail: () => never): void {
  const names = new Set([...Object.keys(part), ...Object.getOwnPropertyNames(Object.getPrototypeOf(part))]);
  for (const name of names) {
    const value: unknown = Reflect.get(part, name);
    // The names are those of its methods.
    if (typeof value === "function" && name !== "constructor" && name !== "remove")
      t.mock.method(part as Record<string, () => unknown>, name, fail);
  }
}

test("every documented status of every operation was produced above", () => {
  const { paths = {} } = createOpenApiDocument("http://weft.test", "0.1.0");
  const documented = Object.values(paths).flatMap((methods) =>
    Object.values(methods as Record<string, { operationId: string; responses: Record<string, unknown> }>).flatMap(
      ({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`),
    ),
  );
  const missing = documented.filter((pair) => !seen.has(pair) && !(pair in NOT_HERE));
  assert.deepEqual(missing, []);
  assert.deepEqual(
    Object.keys(NOT_HERE).filter((pair) => !documented.includes(pair) || seen.has(pair)),
    [],
  );
  assert.deepEqual(
    [...seen].filter((pair) => !documented.includes(pair)),
    [],
  );
});
