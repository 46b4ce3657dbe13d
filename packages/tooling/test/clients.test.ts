import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { startServer } from "../bench/serving.mjs";
import { CLIENT_TOOLS } from "../clients/ensure-client-tools.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CLIENTS = join(ROOT, "docs/clients");
/** Below the tools, so that what they have installed is found from there; not in git. */
const BUILT = join(CLIENT_TOOLS, "dist");
const REDOCLY = join(CLIENT_TOOLS, "node_modules/@redocly/cli/bin/cli.js");
const GENERATOR = join(CLIENT_TOOLS, "node_modules/openapi-typescript/bin/cli.js");
const TSC = join(CLIENT_TOOLS, "node_modules/typescript/bin/tsc");

const withoutTools = existsSync(REDOCLY) ? false : "the tools are not installed: npm test does it";
const withoutPython = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3 here";

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

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called with all of standard error so far; true: Ctrl-C. */
  readonly interruptAt?: (stderr: string) => boolean;
}

function run({ command, args, env = {}, interruptAt }: Command): Promise<Result> {
  const child = spawn(command, args, {
    cwd: BUILT,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let isInterrupted = false;
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    if (isInterrupted || interruptAt?.(stderr) !== true) return;
    isInterrupted = true;
    child.kill("SIGINT");
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

function node(script: string, ...args: string[]): Promise<Result> {
  return run({ command: process.execPath, args: [script, ...args] });
}

let folder: string;
let server: Awaited<ReturnType<typeof startServer>>;
let token: string;

/** The documents that describe the API: where they are kept here, and their addresses. */
const DESCRIPTIONS = [
  ["swagger.json", "/swagger.json"],
  ["wes.json", "/ga4gh/wes/v1/openapi.json"],
  ["trs.json", "/ga4gh/trs/v2/openapi.json"],
] as const;

before(async () => {
  await mkdir(BUILT, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), "weft-clients-"));
  const state = join(folder, "state");
  server = await startServer(["--state", state, "--auth", "token"]);
  const cli = join(ROOT, "packages/cli/src/main.ts");
  const create = ["token", "create", "--state", state, "--name", "client", "--role", "runner"];
  token = (await node(cli, ...create)).stdout.trim();
  for (const [file, path] of DESCRIPTIONS) {
    const description = await fetch(server.address + path, { headers: { authorization: `Bearer ${token}` } });
    await writeFile(join(BUILT, file), await description.text());
  }
});

after(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

describe("the descriptions of the API", { skip: withoutTools }, () => {
  const lint = (file: string) => node(REDOCLY, "lint", "--config", join(CLIENT_TOOLS, "redocly.yaml"), file);

  for (const [file, path] of DESCRIPTIONS) {
    it(`has nothing that a linter finds fault with: ${path}`, async () => {
      const { code, stdout, stderr } = await lint(file);
      assert.equal(code, 0, stdout + stderr);
    });
  }

  it("would not pass with an answer that is nowhere described", async () => {
    const text = await readFile(join(BUILT, "swagger.json"), "utf8");
    const broken = text.replaceAll("#/components/schemas/RunStatus", "#/components/schemas/Nowhere");
    assert.notEqual(broken, text);
    await writeFile(join(BUILT, "broken.json"), broken);
    const { code, stdout, stderr } = await lint("broken.json");
    assert.equal(code, 1, stdout + stderr);
    assert.match(stdout + stderr, /no-unresolved-refs/);
  });
});

/** The life of a run, by a command that takes ADDRESS NETWORK INPUTS.json. */
function drivesRuns(client: () => Pick<Command, "command" | "args">): void {
  const drive = async (inputs: object, more: Pick<Command, "interruptAt" | "env"> = {}) => {
    const file = join(folder, "inputs.json");
    await writeFile(file, JSON.stringify(inputs));
    const { command, args } = client();
    const all = [...args, server.address, "practice-load", file];
    return run({ command, args: all, ...more, env: { WEFT_TOKEN: token, ...more.env } });
  };
  const stateOf = async (stderr: string) => {
    const url = /^run (\S+)$/m.exec(stderr)?.[1] ?? "";
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    // A run, as the server writes it.
    return (await answer.json()) as { readonly state: string; readonly outputs: unknown };
  };

  it("starts a run, waits for it, and gives its outputs", async () => {
    const { code, stdout, stderr } = await drive({ count: 2, seconds: 0 });
    assert.equal(code, 0, stderr);
    const { state, outputs } = await stateOf(stderr);
    assert.deepEqual([state, JSON.parse(stdout)], ["COMPLETE", outputs]);
  });

  it("shows what failed jobs wrote", async () => {
    const { code, stderr } = await drive({ count: 2, seconds: 0, fail_index: 1 });
    assert.deepEqual(
      [code, /^job \S+ failed: \S/m.test(stderr), /^EXECUTOR_ERROR$/m.test(stderr)],
      [1, true, true],
      stderr,
    );
  });

  it("says what is wrong with the inputs, and where", async () => {
    const { code, stdout, stderr } = await drive({ count: "many" });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^refused: .*\/inputs\/count: /m);
  });

  it("says that it may not", async () => {
    const { code, stderr } = await drive({ count: 1 }, { env: { WEFT_TOKEN: `${token}x` } });
    assert.equal(code, 1);
    assert.match(stderr, /^refused: This token is not known/m);
  });

  it("aborts the run when it is interrupted", async () => {
    const { code, stderr } = await drive(
      { count: 50, seconds: 60 },
      { interruptAt: (text) => /^run \S+\n/m.test(text) },
    );
    assert.equal(code, 1, stderr);
    assert.equal((await stateOf(stderr)).state, "CANCELED");
    assert.match(stderr, /^CANCELED$/m);
  });
}

describe("a client with types made from /swagger.json", { skip: withoutTools }, () => {
  before(async () => {
    await copyFile(join(CLIENTS, "run-network.ts"), join(BUILT, "run-network.ts"));
    await writeFile(join(BUILT, "tsconfig.json"), JSON.stringify(TSCONFIG));
    const { code, stdout, stderr } = await node(GENERATOR, "swagger.json", "-o", "weft-api.ts");
    assert.equal(code, 0, stdout + stderr);
  });

  it("compiles", async () => {
    const { code, stdout } = await node(TSC, "-p", ".");
    assert.equal(code, 0, stdout);
  });

  it("does not compile when it asks for what there is not", async () => {
    const text = await readFile(join(BUILT, "run-network.ts"), "utf8");
    const wrong = text.replace('"/api/runs/{run_id}/outputs"', '"/api/runs/{run_id}/nowhere"');
    await writeFile(join(BUILT, "wrong.ts"), wrong);
    await writeFile(join(BUILT, "wrong.json"), JSON.stringify({ ...TSCONFIG, files: ["wrong.ts"] }));
    const { code, stdout } = await node(TSC, "-p", "wrong.json");
    assert.notEqual(code, 0);
    assert.match(stdout, /nowhere/);
  });

  drivesRuns(() => ({ command: process.execPath, args: [join(BUILT, "run-network.ts")] }));
});

describe("the Python client as it is shipped", { skip: withoutPython }, () => {
  drivesRuns(() => ({ command: "python3", args: [join(CLIENTS, "weft_client.py")] }));

  it("uploads, pages, downloads and reads logs", async () => {
    const script = `
import os, sys
sys.path.insert(0, ${JSON.stringify(CLIENTS)})
sys.dont_write_bytecode = True
from weft_client import Weft, WeftError
weft = Weft(sys.argv[1], token=os.environ["WEFT_TOKEN"])
file = weft.upload("one two.txt", b"one two three")
run = weft.start("text-statistics", {"texts": [file]}, name="by python", tags={"study": "clients"})
assert weft.wait(run["run_id"])["outcome"] == "success"
jobs = list(weft.jobs(run["run_id"], page_size=1))
assert len(jobs) == len({job["job_id"] for job in jobs}) > 1
assert isinstance(weft.log(run["run_id"], jobs[0]["job_id"], stream="stdout"), str)
files = [value for value in weft.outputs(run["run_id"]).values() if isinstance(value, dict) and value.get("class") == "File"]
assert len(weft.download(files[0]["location"])) == files[0]["size"]
assert [found["name"] for found in weft.pages("/api/runs", "runs", tag="study:clients")] == ["by python"]
try:
    weft.status("none")
except WeftError as error:
    assert (error.status, error.problem["code"]) == (404, "run-not-found")
print("done")
`;
    const { code, stdout, stderr } = await run({
      command: "python3",
      args: ["-B", "-c", script, server.address],
      env: { WEFT_TOKEN: token },
    });
    assert.deepEqual([code, stdout], [0, "done\n"], stderr);
  });
});
