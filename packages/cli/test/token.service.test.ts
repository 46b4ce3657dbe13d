import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const BODY = { tool: "note", inputs: {} };
const NOTE = {
  cwlVersion: "v1.2",
  class: "ExpressionTool",
  requirements: { InlineJavascriptRequirement: {} },
  inputs: {},
  outputs: {},
  expression: "$({})",
};
const root = temporaryFolder({ "catalog/tools/note/1.0.0/note.cwl": JSON.stringify(NOTE) });
const state = join(root, "state");

async function create(...args: readonly string[]): Promise<string> {
  return (await expectSuccess(["token", "create", ...args, "--state", state])).stdout.trim();
}

function clientOf(address: string, token: string) {
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  return createClient(address, send);
}

test("creates, lists and revokes tokens while a server runs, which applies the change at once", async () => {
  const server = await serve(["--state", state, "--auth", "token", "--catalog", join(root, "catalog")]);
  const viewer = clientOf(server.address, await create("--name", "vera", "--role", "viewer"));
  const robsToken = await create("--name", "rob", "--role", "runner", "--expires", "12h");
  const runner = clientOf(server.address, robsToken);
  const { principal, role } = await runner("GET /api/session", {});
  assert.deepEqual([principal, role], ["rob", "runner"]);
  await assert.rejects(viewer("POST /api/runs", { body: BODY }), { status: 403 });
  await viewer("GET /api/runs", {});
  const run = await runner("POST /api/runs", { body: BODY });
  assert.ok("run_id" in run);
  assert.equal(run.owner, "rob");
  for (const [owner, count] of [
    ["rob", 1],
    ["vera", 0],
  ] as const)
    assert.equal((await viewer("GET /api/runs", { query: { owner } })).total, count);

  const listed = await weft(["token", "list", "--state", state]);
  assert.match(listed.stdout, /^NAME +ROLE +CREATED +EXPIRES\nrob +runner +\S+ +\S+Z\nvera +viewer +\S+ +\S+Z\n$/);
  assert.ok(!listed.stdout.includes(robsToken));
  await expectSuccess(["token", "revoke", "rob", "--state", state]);
  await assert.rejects(runner("GET /api/runs", {}), { status: 401 });
  await server.stop("SIGTERM");
});

const WRONG: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
  [["create", "--name", "vera", "--role", "viewer"], 1, /token "vera" already exists/],
  [["create", "--name", "local", "--role", "admin"], 2, /cannot be the name/],
  [["create", "--name", "../x", "--role", "admin"], 2, /cannot be the name/],
  [["create", "--name", "x", "--role", "root"], 2, /--role must be one of viewer, runner, author, admin, not "root"/],
  [["create", "--name", "x"], 2, /--role must be one of viewer, runner, author, admin\n/],
  [["create", "--role", "viewer"], 2, /requires --name/],
  [["create", "--name", "x", "--role", "viewer", "--expires", "soon"], 2, /--expires must be a lifetime such as/],
  [["create", "x", "--name", "x", "--role", "viewer"], 2, /too many arguments for 'create'.*: x/],
  [["revoke", "nobody"], 1, /token not found: "nobody"/],
  [["revoke"], 2, /missing required argument 'name'/],
  [["make"], 2, /unknown command 'make'/],
];

test("a refusal gives advice", async () => {
  for (const [args, code, message] of WRONG) {
    const { stdout } = await expectExit(["token", ...args, "--state", state], code, message);
    assert.equal(stdout, "", args.join(" "));
  }
  await expectExit(["token", "list", "--state", join(root, "none")], 2, /none is not a state folder of Weft/);
});

const FLAGS: readonly (readonly [flags: readonly string[], code: number, message: RegExp])[] = [
  [["--auth", "oidc", "--oidc-issuer", "http://login.example", "--oidc-audience", "weft"], 78, /https address/],
  [["--private-runs"], 2, /requires a login/],
  [["--host", "0.0.0.0"], 78, /--let-everybody-in/],
];

test("contradictory flags are refused before the server starts", async () => {
  for (const [flags, code, message] of FLAGS)
    await expectExit(["serve", "--port", "0", "--state", join(root, "flags"), ...flags], code, message);
});

test("a server with --let-everybody-in requires no authentication", async () => {
  const flags = ["--state", join(root, "open"), "--host", "0.0.0.0", "--let-everybody-in"];
  const server = await serve(flags);
  const { port } = new URL(server.address);
  assert.equal((await fetch(`http://127.0.0.1:${port}/api/runs`)).status, 200);
  await server.stop("SIGTERM");
});
