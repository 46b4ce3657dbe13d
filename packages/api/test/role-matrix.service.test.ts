import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { Role } from "@weft/shared/records/role.ts";
import { roleIncludes } from "@weft/shared/records/role.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes } from "@weft/shared/routes/routes.ts";
import { addToken } from "../src/auth/tokens/token-folder.ts";
import { LOCATION, QUERY, QUERY_ID } from "./fake-datasets.ts";
import { AUTOMATION_ID } from "./fake-automations.ts";
import { DELIVERY_ID, SUBSCRIPTION_ID } from "./fake-notifications.ts";
import { DRAFT_ID, GROUP_ID } from "./fake-drafts.ts";
import { startFakeServer } from "./fake-server.ts";
import type { FakeServer } from "./fake-server.ts";
import { json, problemOf, wesForm } from "./test-server.ts";

const TOKEN = "s".repeat(43);

/** Who asks in each row: their name is the owner of runs. */
const PEOPLE = { vera: "viewer", rob: "runner", ann: "author", ada: "admin" } as const satisfies Record<string, Role>;
type Person = keyof typeof PEOPLE;

/** Whose run is asked for: one's own, or that of Oz, who is nobody in the table. */
type Owner = "own" | "other";

interface Cell {
  readonly route: string;
  readonly declaration: RouteDeclaration;
  readonly person: Person;
  readonly owner: Owner;
  readonly isPrivate: boolean;
}

/** Every declared route × person × owner × kind of server: a new route is in the table by being declared. */
function cells(isPrivate: boolean): Cell[] {
  return Object.entries<RouteDeclaration>(routes).flatMap(([route, declaration]) =>
    (["vera", "rob", "ann", "ada"] as const).flatMap((person) =>
      (["own", "other"] as const).map((owner) => ({ route, declaration, person, owner, isPrivate })),
    ),
  );
}

/** What the answer must be: 403, 404 as if the run did not exist, or anything else. */
function expected({ route, declaration: { access, onlyOwnRuns }, person, owner, isPrivate }: Cell): number | undefined {
  const role = PEOPLE[person];
  if (access !== "open" && !roleIncludes(role, access)) return 403;
  if (!route.includes("{run_id}") || owner === "own" || role === "admin") return undefined;
  if (isPrivate) return 404;
  return onlyOwnRuns === true ? 403 : undefined;
}

async function startServer(t: TestContext, privateRuns: boolean) {
  const state = await mkdtemp(join(tmpdir(), "weft-roles-"));
  t.after(() => rm(state, { recursive: true }));
  const folder = join(state, "tokens");
  const tokens: Partial<Record<Person, string>> = {};
  for (const [name, role] of Object.entries(PEOPLE))
    // The names of the table.
    tokens[name as Person] = (await addToken(folder, { name, role, expires_at: null }))?.text ?? "";
  const auth = { mode: "token", token: TOKEN, namedTokens: folder } as const;
  const server = await startFakeServer(t, { auth, privateRuns });
  await server.engine.files.put("x", "output");
  await server.engine.files.put("smooth.0.stderr", "log");
  return { server, tokens };
}

const QUERIES: Readonly<Record<string, (runId: string) => string>> = {
  "POST /api/files": () => "?name=a",
  "GET /api/datasets/detail": () => `?location=${LOCATION}`,
  "GET /api/datasets/files": () => `?location=${LOCATION}`,
  "GET /api/runs/{run_id}/comparison": (runId) => `?with=${runId}`,
};

const NIGHTLY = {
  ...{ name: "Night", network: "imaging-cohort" },
  trigger: { kind: "schedule", cron: "0 3 * * *", time_zone: "Europe/Berlin" },
};

const BODIES: Readonly<Record<string, RequestInit>> = {
  "POST /api/runs": json({ network: "imaging-cohort" }),
  "POST /api/plans": json({ network: "imaging-cohort" }),
  "POST /api/drafts": json({ kind: "tool", id: "smooth" }),
  "POST /api/drafts/{draft_id}": json({ text: "" }, { "if-match": '"1"' }),
  "POST /api/drafts/{draft_id}/publish": json({ version: "2.0.0" }, { "if-match": '"1"' }),
  "POST /api/drafts/{draft_id}/files": json({ changes: [{ do: "delete", path: "a" }] }, { "if-match": '"1"' }),
  "POST /api/upgrades": json({ kind: "tool", id: "smooth", version: "1.0.0", networks: ["imaging-cohort"] }),
  "POST /api/draft-groups/{group_id}/publish": json({ drafts: [{ draft_id: DRAFT_ID, revision: 1 }] }),
  "POST /api/commits": json({ versions: [{ kind: "tool", id: "smooth", version: "1.0.0" }] }),
  "POST /api/draft-imports/url": json({ url: "https://example.org/a.cwl" }),
  "POST /api/drafts/{draft_id}/editors": json({ editor: DRAFT_ID }),
  "POST /api/drafts/{draft_id}/runs": json({}),
  "POST /api/drafts/{draft_id}/plans": json({}),
  "POST /api/automations": json(NIGHTLY),
  "POST /api/automation-plans": json(NIGHTLY),
  "POST /api/subscriptions": json({
    ...{ channel: "feed", name: "Night", scope: { network: "imaging-cohort" }, triggers: ["failure"] },
  }),
  "POST /api/datasets/query": json(QUERY),
  "POST /api/dataset-queries": json({ name: "Elderly", network: "imaging-cohort", query: QUERY }),
  "POST /api/dataset-queries/{query_id}": json(
    { name: "Elderly", network: "imaging-cohort", query: QUERY },
    { "if-match": '"1"' },
  ),
  "POST /api/session": json({ token: TOKEN }),
  "POST /api/runs/{run_id}/reproduce": json({}),
  "POST /api/runs/{run_id}/describe": json({ name: "x" }),
  "POST /api/runs/describe": json({ run_ids: ["019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f"], pinned: true }),
  "POST /api/runs/{run_id}/reviews": json({ reviews: [{ sample_id: "a", verdict: "pass" }] }),
  "POST /api/prune": json({}),
  "POST /shutdown": json({ mode: "drain", confirm: "shutdown" }, { "sec-fetch-site": "cross-site" }),
  "POST /ga4gh/wes/v1/runs": wesForm({ workflow_url: "imaging-cohort" }),
};

async function ask(server: FakeServer, { route, person, owner }: Cell, token = "") {
  const run = server.engine.runs.add(undefined, owner === "own" ? person : "oz");
  const init = BODIES[route] ?? {};
  // Only what has ended is retried.
  if (/\/retry(?:-plan)?$/.test(route)) server.engine.runs.change(run.id, "COMPLETE");
  const request = route
    .replace("{run_id}", run.id)
    .replace(/\{(job_id|task_id)\}/, "smooth.0")
    .replace("{draft_id}", DRAFT_ID)
    .replace("{automation_id}", AUTOMATION_ID)
    .replace("{subscription_id}", SUBSCRIPTION_ID)
    .replace("{delivery_id}", DELIVERY_ID)
    .replace("{group_id}", GROUP_ID)
    .replace("{query_id}", QUERY_ID)
    .replace(/\{\w+\}/g, "x");
  const query = QUERIES[route]?.(run.id) ?? "";
  return server.call(`${request}${query}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token}` },
  });
}

for (const isPrivate of [false, true])
  test(`each route answers each role ${isPrivate ? "about its own runs alone" : "about all runs"}`, async (t) => {
    const { server, tokens } = await startServer(t, isPrivate);
    for (const cell of cells(isPrivate)) {
      // Shutting down is refused for where it comes from, after the role was looked at.
      const isShutdown = cell.route === "POST /shutdown" && cell.person === "ada";
      const { status, text } = await ask(server, cell, tokens[cell.person]);
      const wanted = isShutdown ? 403 : expected(cell);
      const name = `${cell.route} by ${cell.person} of ${cell.owner} run: ${status} ${text.slice(0, 200)}`;
      if (wanted === undefined) assert.ok(![401, 403, 500].includes(status), name);
      else assert.equal(status, wanted, name);
      if (wanted === undefined && cell.route.includes("{run_id}")) assert.ok(status < 300, name);
    }
  });

test("who is refused is told which role it takes, and whose run it is", async (t) => {
  const { server, tokens } = await startServer(t, false);
  const call = (request: string, person: Person, init: RequestInit = {}) =>
    server.call(request, { ...init, headers: { ...init.headers, authorization: `Bearer ${tokens[person]}` } });
  const start = problemOf(await call("POST /api/runs", "vera", json({ network: "imaging-cohort" })));
  assert.equal(start.detail, '"Start a run" needs the role runner; vera has the role viewer');
  assert.equal(server.engine.runs.count, 0);
  const { id } = server.engine.runs.add(undefined, "oz");
  assert.match(problemOf(await call(`DELETE /api/runs/${id}`, "rob")).detail, /belongs to oz/);
  assert.equal((await call(`DELETE /api/runs/${id}`, "ada")).status, 204);
});

test("from whom runs are hidden sees own ones in lists, files and events alone", async (t) => {
  const { server, tokens } = await startServer(t, true);
  const { runs } = server.engine;
  const [own] = [runs.add(undefined, "rob").id, runs.add(undefined, "oz").id];
  const read = async (path: string, person: Person) =>
    JSON.parse((await server.call(`GET ${path}`, { headers: { authorization: `Bearer ${tokens[person]}` } })).text);
  const seen = async (person: Person) => [
    (await read("/api/runs", person)).runs.length,
    (await read("/ga4gh/wes/v1/runs", person)).runs.length,
    (await read("/api/events", person)).events.length,
  ];
  assert.deepEqual(
    [await seen("rob"), await seen("vera"), await seen("ada")],
    [
      [1, 1, 1],
      [0, 0, 0],
      [2, 2, 2],
    ],
  );
  assert.equal((await read("/api/provenance/files", "rob")).files[0].run_id, own);
  assert.deepEqual((await read("/api/provenance/files", "vera")).files, []);
});
