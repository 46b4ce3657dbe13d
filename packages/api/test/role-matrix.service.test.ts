import assert from "node:assert/strict";
import { after, test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { caller } from "@weft/engine/testing/drive-runs.ts";
import { type Role, roleIncludes } from "@weft/shared/records/role.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes, type RouteId } from "@weft/shared/routes/routes.ts";
import { addToken } from "../src/auth/tokens/token-folder.ts";
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
import { json, problemOf, startTestServer, type TestServer } from "./test-server.ts";

/** The callers with their roles; the name of a caller is also the owner of runs. */
const PEOPLE = { vera: "viewer", rob: "runner", ann: "author", ada: "admin" } as const satisfies Record<string, Role>;
type Person = keyof typeof PEOPLE;

/** The owner of the requested run: the caller, or Oz, who is not in the table. */
type Owner = "own" | "other";

interface Cell {
  readonly person: Person;
  readonly owner: Owner;
  readonly isPrivate: boolean;
}

/** Expected status: 403, 404 as if the run did not exist, or undefined for any other. */
function expected(route: RouteId, { person, owner, isPrivate }: Cell): number | undefined {
  const { access, onlyOwnRuns }: RouteDeclaration = routes[route];
  const role = PEOPLE[person];
  if (access !== "open" && !roleIncludes(role, access)) return 403;
  if (!route.includes("{run_id}") || owner === "own" || role === "admin") return undefined;
  if (isPrivate) return 404;
  return onlyOwnRuns === true ? 403 : undefined;
}

const root = temporaryFolder();
const tokens = new Map<string, string>();
for (const [name, role] of Object.entries(PEOPLE))
  tokens.set(name, (await addToken(root, { name, role, expires_at: null }))?.text ?? "");
const auth = { mode: "token", token: ADMIN_TOKEN, namedTokens: root } as const;
const server = await startTestServer({ after }, { auth, engineOptions: HAPPY_ENGINE, wesDocuments: "admin" });
const { engine } = server;
const privateServer = await startTestServer({ after }, { auth, engine, privateRuns: true, wesDocuments: "admin" });

function call(to: TestServer, request: string, person: Person, { headers, ...init }: RequestInit = {}) {
  const own = { ...Object.fromEntries(new Headers(headers)), authorization: `Bearer ${tokens.get(person)}` };
  return to.call(request, { ...init, headers: own });
}

const prepared = await prepareHappy(server);
const ended = new Map<string, string>();
for (const owner of [...Object.keys(PEOPLE), "oz"])
  ended.set(owner, await prepareEndedRun(server, prepared.query, owner));

test("lists, files and events show only one's own runs if runs are private", async () => {
  const read = async (path: string, person: Person) =>
    JSON.parse((await call(privateServer, `GET ${path}`, person)).text);
  const idOf = ({ run_id: id }: { readonly run_id: string | null }) => id ?? [];
  for (const [person, ids] of [
    ["rob", [ended.get("rob")]],
    ["vera", [ended.get("vera")]],
    ["ada", [...ended.values()]],
  ] as const) {
    const lists = [
      (await read("/api/runs", person)).runs,
      (await read("/ga4gh/wes/v1/runs", person)).runs,
      (await read("/api/events?page_size=500", person)).events,
      (await read("/api/provenance/files?direction=output", person)).files,
    ];
    for (const list of lists) assert.deepEqual(new Set(list.flatMap(idOf)), new Set(ids));
  }
});

test("a refusal names the role that is missing, or the owner of the run", async () => {
  const { total } = engine.runs.list(caller, {});
  const start = problemOf(await call(server, "POST /api/runs", "vera", json({ network: "imaging-cohort" })));
  assert.equal(start.detail, '"Start a run" needs the role runner; vera has the role viewer');
  assert.equal(engine.runs.list(caller, {}).total, total);
  const id = await prepareOpenRun(server, "oz");
  assert.match(problemOf(await call(server, `DELETE /api/runs/${id}`, "rob")).detail, /belongs to oz/);
  assert.equal((await call(server, `DELETE /api/runs/${id}`, "ada")).status, 204);
});

for (const isPrivate of [false, true])
  test(`each route answers each role ${isPrivate ? "about its own runs only" : "about all runs"}`, async (t) => {
    mockCommits(t, engine);
    const open = new Map<string, string>();
    for (const owner of ended.keys()) open.set(owner, await prepareOpenRun(server, owner));
    for (const person of ["vera", "rob", "ann", "ada"] as const)
      for (const owner of ["own", "other"] as const) {
        const name = owner === "own" ? person : "oz";
        const names = { ...prepared, run: ended.get(name) ?? "", open: open.get(name) ?? "" };
        for (const request of happyRequests(server, names))
          // Nothing else depends on the owner, or on whether runs are private.
          if ((owner === "own" && !isPrivate) || request[0].includes("{run_id}"))
            await check(request, { person, owner, isPrivate });
      }
  });

async function check([route, request, , init]: HappyRequest, cell: Cell): Promise<void> {
  const { person, owner, isPrivate } = cell;
  // The server refuses the shutdown because of its origin, after it has checked the role.
  const isShutdown = route === "POST /shutdown";
  const headers = { ...init.headers, ...(isShutdown && { "sec-fetch-site": "cross-site" }) };
  const { status, text } = await call(isPrivate ? privateServer : server, request, person, { ...init, headers });
  const expectedStatus = isShutdown ? 403 : expected(route, cell);
  const name = `${route} by ${person} of ${owner} run: ${status} ${text.slice(0, 200)}`;
  if (expectedStatus === undefined) assert.ok(![401, 403, 500].includes(status), name);
  else assert.equal(status, expectedStatus, name);
  if (expectedStatus === undefined && route.includes("{run_id}")) assert.ok(status < 300, name);
}
