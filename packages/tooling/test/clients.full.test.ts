import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { CLIENT_TOOLS } from "../clients/ensure-client-tools.mjs";
import { assembleTypescriptClient } from "../release/typescript-client.mjs";
import { drivesRuns, openClientServer, ROOT, run, type ClientServer } from "./client-programs.ts";

const CLIENTS = join(ROOT, "docs/clients");
/** Below the tools, so that programs there find the installed packages; not in git. */
const BUILT = join(CLIENT_TOOLS, "dist");
const REDOCLY = join(CLIENT_TOOLS, "node_modules/@redocly/cli/bin/cli.js");
const TSC = join(CLIENT_TOOLS, "node_modules/typescript/bin/tsc");

const withoutTools = existsSync(REDOCLY) ? false : "needs the tools for clients (npm run test:full installs them)";

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    noUncheckedIndexedAccess: true,
    types: ["node"],
  },
  files: ["run-network.ts"],
};

function node(script: string, ...args: string[]) {
  const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return run({ command: process.execPath, args: [script, ...args], cwd: BUILT, env });
}

let server: ClientServer;

/** The documents that describe the API: their files here, and their addresses on the server. */
const DESCRIPTIONS = [
  ["swagger.json", "/swagger.json"],
  ["wes.json", "/ga4gh/wes/v1/openapi.json"],
  ["trs.json", "/ga4gh/trs/v2/openapi.json"],
] as const;

before(async () => {
  await mkdir(BUILT, { recursive: true });
  server = await openClientServer();
  for (const [file, path] of DESCRIPTIONS) {
    const description = await fetch(server.address + path, { headers: { authorization: `Bearer ${server.token}` } });
    await writeFile(join(BUILT, file), await description.text());
  }
});

after(() => server.close());

describe("the descriptions of the API", { skip: withoutTools }, () => {
  const lint = (file: string) => node(REDOCLY, "lint", "--config", join(CLIENT_TOOLS, "redocly.yaml"), file);

  for (const [file, path] of DESCRIPTIONS) {
    it(`pass the linter: ${path}`, async () => {
      const { code, stdout, stderr } = await lint(file);
      assert.equal(code, 0, stdout + stderr);
    });
  }

  it("fail the linter if an answer refers to a schema that does not exist", async () => {
    const text = await readFile(join(BUILT, "swagger.json"), "utf8");
    const broken = text.replaceAll("#/components/schemas/RunStatus", "#/components/schemas/Nowhere");
    assert.notEqual(broken, text);
    await writeFile(join(BUILT, "broken.json"), broken);
    const { code, stdout, stderr } = await lint("broken.json");
    assert.equal(code, 1, stdout + stderr);
    assert.match(stdout + stderr, /no-unresolved-refs/);
  });
});

describe("the TypeScript client", { skip: withoutTools }, () => {
  before(async () => {
    const packages = join(BUILT, "node_modules/weft-client");
    await rm(packages, { recursive: true, force: true });
    assembleTypescriptClient(packages);
    await copyFile(join(CLIENTS, "run-network.ts"), join(BUILT, "run-network.ts"));
    await writeFile(join(BUILT, "tsconfig.json"), JSON.stringify(TSCONFIG));
  });

  it("has types that let a program compile", async () => {
    const { code, stdout } = await node(TSC, "-p", ".");
    assert.equal(code, 0, stdout);
  });

  for (const [what, right, wrong] of [
    ["operation", '"GET /api/runs/{run_id}/jobs"', '"GET /api/runs/{run_id}/nowhere"'],
    ["parameter", "path: { run_id: runId }", "path: { run: runId }"],
    ["field", "job_id: jobId", "job: jobId"],
  ] as const)
    it(`does not compile with an unknown ${what}`, async () => {
      const text = await readFile(join(BUILT, "run-network.ts"), "utf8");
      assert.ok(text.includes(right));
      await writeFile(join(BUILT, "wrong.ts"), text.replace(right, wrong));
      await writeFile(join(BUILT, "wrong.json"), JSON.stringify({ ...TSCONFIG, files: ["wrong.ts"] }));
      const { code, stdout } = await node(TSC, "-p", "wrong.json");
      assert.notEqual(code, 0);
      assert.match(stdout, /^wrong\.ts\(\d+,/);
    });

  drivesRuns(
    () => server,
    () => ({ command: process.execPath, args: [join(BUILT, "run-network.ts")], cwd: BUILT }),
  );

  it("uploads, downloads, reports progress and refuses other servers", async () => {
    const script = `
import assert from "node:assert/strict";
import { Weft, WeftError } from "weft-client";
const weft = new Weft(process.argv[2] + "/", { token: process.env.WEFT_TOKEN });
const file = await weft.upload("one two.txt", "one two three");
const run = await weft.start("text-statistics", { texts: [file] }, { name: "by typescript" });
const seen = [];
const { outcome } = await weft.wait(run.run_id, { onProgress: ({ state }) => seen.push(state) });
assert.deepEqual([outcome, seen.at(-1)], ["success", "COMPLETE"]);
const { top_words: words } = await weft.outputs(run.run_id);
assert.equal((await weft.download(words.location)).length, words.size);
await assert.rejects(weft.download("http://127.0.0.2:1/x"), /is not an address of/);
await assert.rejects(weft.call("GET /api/runs/{run_id}/status", { path: { run_id: "none" } }), (error) =>
  error instanceof WeftError && error.status === 404 && error.problem.code === "run-not-found");
const { changes } = await weft.call("GET /api/server", { query: { client_version: "0.1.0" } });
assert.ok(changes.length > 0);
console.log("done");
`;
    const file = join(BUILT, "use-client.mjs");
    await writeFile(file, script);
    const { code, stdout, stderr } = await run({
      command: process.execPath,
      args: [file, server.address],
      cwd: BUILT,
      env: { WEFT_TOKEN: server.token },
    });
    assert.deepEqual([code, stdout], [0, "done\n"], stderr);
  });
});
